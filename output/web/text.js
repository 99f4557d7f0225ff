// Fits texts into the available width.

// A name may have 100,000 characters.
export function clipped(text, most) { return text.length <= most ? text : text.slice(0, most - 1) + "…"; }

// Returns a function for the widths of characters in a font. Each character is measured once.
export function measureOf(size, family, weight = 400) {
  const widths = new Map();
  const canvas = document.createElementNS("http://www.w3.org/1999/xhtml", "canvas").getContext?.("2d");
  if (canvas) canvas.font = `${weight} ${size}px ${family}`;
  return (character) => {
    let width = widths.get(character);
    if (width === undefined) {
      width = canvas ? canvas.measureText(character).width : size * 0.6;
      widths.set(character, width);
    }
    return width;
  };
}

// The text, or the longest start of it that fits. Empty if two characters do not fit.
export function textThatFits(text, width, measure) {
  const dots = measure("…");
  let used = 0, count = 0, fits = 0, at = 0;
  for (const character of text) {
    used += measure(character);
    if (used > width) return count >= 2 ? text.slice(0, fits) + "…" : "";
    at += character.length;
    if (used + dots <= width) ++count, fits = at;
  }
  return text;
}
