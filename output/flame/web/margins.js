// The text around the frames: title, subtitle, legend and notes, in lines that fit the width.

import {svgElement} from "../../web/svg.js";
import {measureOf} from "../../web/text.js";

// Lines of at most that width; words that are longer are cut.
const wrapped = (text, width, measure) => {
  const lines = [], blank = measure(" ");
  let line = "", used = 0;
  const finish = () => {
    if (line !== "") lines.push(line);
    line = "", used = 0;
  };
  const add = (character) => {
    if (used + measure(character) > width) finish();
    line += character, used += measure(character);
  };
  for (const word of text.split(" ")) {
    const characters = [...word], length = characters.reduce((sum, character) => sum + measure(character), 0);
    if (line !== "" && used + blank + length <= width) add(" ");
    else finish();
    characters.forEach(add);
  }
  finish();
  return lines;
};

export class Margins {
  // `svg`, `data`: see Picture.
  constructor(svg, data) {
    this.data = data;
    this.title = svg.querySelector(".title");
    this.subtitle = svg.querySelector(".subtitle");
    this.notes = svg.querySelector(".notes");
    this.legend = [...this.notes.querySelectorAll("rect")].map((patch) => ({patch, text: patch.nextElementSibling}));
    const {fontFamily} = getComputedStyle(svg);
    this.ofTitle = measureOf(18, fontFamily, 600);
    this.ofText = measureOf(12, fontFamily);
  }

  get pad() { return 10; }

  // Above the frames; returns the height. `room`: for the title, which may be beside the search.
  layOutHead(width, room) {
    const titles = wrapped(this.data.title, room, this.ofTitle);
    const subtitles = wrapped(this.data.subtitle, width, this.ofText);
    const longer = 22 * Math.max(titles.length - 1, 0);
    this.write(this.title, titles, 30, 22);
    this.write(this.subtitle, subtitles, 50 + longer, 17);
    return longer + (subtitles.length === 0 ? 64 : 84 + 17 * (subtitles.length - 1));
  }
  write(element, lines, y, height) {
    const spans = lines.map((line, i) => svgElement("tspan", {x: this.pad, y: y + i * height}, null, line));
    element?.replaceChildren(...spans);
  }

  // Below the frames; returns the height.
  layOutFoot(width) {
    const bottom = this.placeLegend(width), {notes, pad} = this;
    const lines = this.data.notes.flatMap((note) => wrapped(note, width, this.ofText));
    for (const note of notes.querySelectorAll(".note")) note.remove();
    lines.forEach((line, i) => svgElement("text", {class: "note", x: pad, y: bottom + 20 + 17 * i}, notes, line));
    return bottom + (lines.length > 0 ? 8 + 17 * lines.length : 0) + pad;
  }
  placeLegend(width) {
    let x = 0, y = 11;
    for (const {patch, text} of this.legend) {
      const length = 19 + [...text.textContent].reduce((sum, character) => sum + this.ofText(character), 0);
      if (x > 0 && x + length > width) x = 0, y += 18;
      patch.setAttribute("x", this.pad + x);
      patch.setAttribute("y", y);
      text.setAttribute("x", this.pad + x + 19);
      text.setAttribute("y", y + 9);
      x += length + 18;
    }
    return this.legend.length > 0 ? y + 15 : 0;
  }
}
