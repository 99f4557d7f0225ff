// Elements of HTML, also in an SVG. Texts of a recording only become text nodes, so no text can make elements.

// element("td", {class: "number", onclick: f}, "text", otherElement)
export function element(tag, properties = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/1999/xhtml", tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}
