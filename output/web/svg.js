// Elements of SVG. Texts of a recording only become text nodes.

export function svgElement(name, attributes, parent, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = textOfXml(text);
  parent?.append(made);
  return made;
}

// Other characters are not allowed in XML.
const textOfXml = (text) => text.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");
