// The flame graph as an SVG that every viewer opens, with its shape, colours, zoom and search. Two graphs that are side
// by side are both in the SVG.

import {layOut} from "../../web/layout.js";
import {svgElement} from "../../web/svg.js";
import {clipped, textThatFits} from "../../web/text.js";

import {isDark} from "./colours.js";
import {measure, rowHeight} from "./flame.js";
import {colourKey} from "./flame_view.js";

class Drawing {
  constructor(width) {
    this.width = width;
    this.height = 0;
    const style = getComputedStyle(document.documentElement);
    this.colour = (name) => style.getPropertyValue(name);
    this.svg = svgElement("svg", {"font-family": "system-ui, Verdana, DejaVu Sans, sans-serif", "font-size": 12});
    this.page = svgElement("rect", {width: "100%", height: "100%", fill: this.colour("--page")}, this.svg);
  }
  line(text, attributes = {}) {
    this.height += 18;
    svgElement("text", {x: 10, y: this.height - 4, fill: this.colour("--quiet"), ...attributes}, this.svg, text);
  }
  key(patches) {
    if (patches.length === 0) return;
    this.height += 18;
    patches.forEach(([colour, text], i) => {
      svgElement("rect", {x: 10 + 140 * i, y: this.height - 15, width: 11, height: 11, fill: colour}, this.svg);
      svgElement("text", {x: 26 + 140 * i, y: this.height - 5, fill: this.colour("--quiet")}, this.svg, text);
    });
  }
  // graphs: {tree, share, told}, from left to right: see flame.js.
  graphs(graphs, {zoom, upwards}) {
    const wide = this.width / graphs.length - 20, top = this.height + 4;
    const layouts = graphs.map(({tree, share}) => layOut(tree, zoom, wide * share));
    const tall = Math.max(...layouts.map(({rows}) => rows.length)) * rowHeight;
    const yOf = (depth) => top + (upwards ? tall - (depth + 1) * rowHeight : depth * rowHeight);
    graphs.forEach(({told}, i) => this.graph(told, layouts[i], 10 + i * this.width / graphs.length, yOf, zoom.length));
    this.height = top + tall;
  }
  graph(told, {rows}, left, yOf, zoomed) {
    const paint = told.painter();
    rows.forEach((row, depth) => {
      let last = -1;
      for (const box of row) {
        const pixel = Math.floor(box.x);
        if (box.width < 1 && pixel === last) continue;
        last = pixel;
        this.box(told, box, {x: left + box.x, y: yOf(depth), paint, isAbove: depth < zoomed});
      }
    });
  }
  box(told, box, {x, y, paint, isAbove}) {
    const {frame} = box.item, isMatch = told.matches(frame), {title, rows} = told.tip(box);
    const group = svgElement("g", isAbove ? {opacity: 0.55} : {}, this.svg);
    svgElement(
      "title", {}, group, [clipped(title, 600), ...rows.map(([label, text]) => `${label} ${text}`.trim())].join("\n"));
    svgElement("rect", {
      x: x.toFixed(1),
      y,
      width: (box.width - (box.width > 3 ? 0.8 : 0)).toFixed(1),
      height: rowHeight - 1,
      fill: isMatch ? this.colour("--match") : paint(box)
    },
      group);
    const text = box.width > 26 ? textThatFits(told.name(frame), box.width - 8, measure) : "";
    const fill = isMatch ? (isDark() ? "#16181b" : "#ffffff") : this.colour("--text");
    if (text) svgElement("text", {x: (x + 4).toFixed(1), y: y + 13, fill}, group, text);
  }
  finished() {
    const height = this.height + 8;
    for (const [name, value] of Object.entries({width: this.width, height, viewBox: `0 0 ${this.width} ${height}`}))
      this.svg.setAttribute(name, value);
    return this.svg;
  }
}

export function drawnFlameGraph(app) {
  const view = app.views.flame, {state, model} = app;
  const drawing = new Drawing(Math.max(1000, Math.round(document.documentElement.clientWidth)));
  drawing.line(model.page.title, {fill: drawing.colour("--text"), "font-weight": 600, "font-size": 14});
  drawing.line(`${model.events[state.event] ?? ""}: ${view.caption("now")}`.replace(/^: /, ""));
  if (app.base) drawing.line(`compared with: ${view.caption("before")}`);
  if (state.zoom.length > 0)
    drawing.line(`zoomed to ${state.zoom.map((frame) => clipped(model.names[frame] ?? "", 60)).join(" › ")}`);
  if (state.search !== "") drawing.line(`search for ${state.search}: ${app.foundText()}`);
  drawing.key(colourKey(app));
  drawing.graphs(view.graphs(), state);
  return drawing.finished();
}
