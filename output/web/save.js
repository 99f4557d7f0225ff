// Files that the browser makes of what is seen.

import {element} from "./html.js";

export function download(content, type, name) {
  const link = element("a", {href: URL.createObjectURL(new Blob([content], {type})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// An SVG as a file of its own, which every viewer opens.
export function downloadSvg(svg) {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(svg)}\n`;
  download(text, "image/svg+xml", "seen.svg");
}
