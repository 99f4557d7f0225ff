// Draws the tree: what has room for a name becomes a rectangle, what is narrower becomes a part of one path for each
// colour. So there are few elements for any size of the tree: thousands would take longer than a frame.

import {boxAt, layOut} from "../../web/layout.js";
import {svgElement} from "../../web/svg.js";
import {measureOf, textThatFits} from "../../web/text.js";

import {layOutLanes, rowsOfLanes} from "./lanes.js";
import {Margins} from "./margins.js";
import {FlameTree} from "./tree.js";

const round = (length) => Math.round(length * 100) / 100;

// Elements that are used again for the next picture.
class Pool {
  constructor(name, parent) {
    this.name = name;
    this.parent = parent;
    this.all = [];
    this.used = 0;
  }
  next() {
    if (this.used === this.all.length) this.all.push(svgElement(this.name, {}));
    const element = this.all[this.used++];
    if (element.parentNode === null) this.parent.append(element);
    return element;
  }
  begin() { this.used = 0; }
  finish() {
    for (let i = this.used; i < this.all.length && this.all[i].parentNode !== null; ++i) this.all[i].remove();
  }
}

export class Picture {
  // `svg`: as the writer of the picture has made it, or with the same groups. `data`: see FlameTree.
  constructor(svg, data) {
    this.svg = svg;
    this.data = data;
    this.tree = new FlameTree(data);
    this.zoomed = 0;
    this.inverted = data.inverted;
    this.found = null;
    this.group = svg.querySelector(".frames");
    this.group.replaceChildren();
    const layer = (name) => svgElement("g", {class: name}, this.group);
    this.narrow = new Pool("path", layer("narrow"));
    this.wide = new Pool("rect", layer("wide"));
    this.labels = new Pool("text", layer("labels"));
    this.hover = svgElement("rect", {class: "hover", visibility: "hidden"}, this.group);
    this.focus = svgElement("rect", {class: "focus", visibility: "hidden"}, this.group);
    this.measure = measureOf(data.fontSize, getComputedStyle(svg).fontFamily);
    this.margins = new Margins(svg, data);
    this.rows = [];
    this.height = 0;
    this.laneRows = this.hasLanes ? rowsOfLanes(this.tree) : null;
  }

  get pad() { return 10; }
  // On narrow screens the search has a row of its own above the frames.
  get isNarrow() { return this.pictureWidth < 760; }
  get barWidth() { return Math.min(470, this.size); }
  get top() { return this.headHeight + (this.isNarrow ? 34 : 0); }
  get size() { return this.pictureWidth - 2 * this.pad; }

  get hasLanes() { return this.tree.kind === "lanes"; }

  draw(width) {
    this.pictureWidth = width;
    const roomOfTitle = this.isNarrow ? this.size : this.size - this.barWidth - this.pad;
    this.headHeight = this.margins.layOutHead(this.size, roomOfTitle);
    this.layOut();
    this.place(this.hasLanes ? this.laneRows.at(-1) : this.rows.length);
    this.narrow.begin();
    this.wide.begin();
    this.labels.begin();
    const paths = new Map();
    for (const row of this.rows) {
      for (const box of row ?? []) this.drawBox(box, paths);
    }
    for (const [classes, path] of paths) {
      const element = this.narrow.next();
      this.finishPiece(path);
      element.setAttribute("class", classes);
      element.setAttribute("d", path.pieces.join(""));
    }
    for (const pool of [this.narrow, this.wide, this.labels]) pool.finish();
    this.hover.setAttribute("visibility", "hidden");
  }

  layOut() {
    const {tree, zoomed, size, data} = this, least = Math.max(data.minWidth, data.minShare * size);
    this.rows = this.hasLanes ? layOutLanes(tree, this.laneRows, zoomed, size, least)
                              : layOut(tree, tree.path(zoomed), size, least).rows;
  }

  // The picture grows for deeper stacks, and does not become smaller again under the pointer.
  place(rows) {
    const {top, data: {rowHeight}} = this;
    this.rowCount = Math.max(this.rowCount ?? 0, rows);
    this.bottom = top + this.rowCount * rowHeight;
    this.margins.notes.setAttribute("transform", `translate(0 ${this.bottom})`);
    // The rest of the window belongs to the picture: descriptions and the help need room.
    this.height = Math.max(this.bottom + this.margins.layOutFoot(this.size), window.innerHeight);
    this.svg.setAttribute("width", this.pictureWidth);
    this.svg.setAttribute("height", this.height);
    this.svg.setAttribute("viewBox", `0 0 ${this.pictureWidth} ${this.height}`);
  }

  y(row) {
    const {top, data: {rowHeight}} = this;
    return this.inverted ? top + row * rowHeight : top + (this.rowCount - 1 - row) * rowHeight;
  }
  rowAt(y) {
    const row = Math.floor((y - this.top) / this.data.rowHeight);
    return this.inverted ? row : this.rowCount - 1 - row;
  }

  // The class of a node's colour.
  classes(node) {
    const {tree} = this;
    if (this.found?.frames[tree.frame[node]]) return "found";
    if (node === 0) return "root";
    if (tree.difference) return "c" + tree.change[node];
    return tree.isUnnamed(node) ? "u" : "c" + (tree.frames[tree.frame[node]][1] ?? 0);
  }

  drawBox(box, paths) {
    const {node} = box.item, {rowHeight} = this.data, y = this.y(box.depth), x = this.pad + box.x;
    const isCaller = !this.hasLanes && node < this.zoomed && this.tree.end[node] >= this.tree.end[this.zoomed];
    const classes = this.classes(node) + (isCaller ? " caller" : "");
    const gap = box.width < 3 ? 0 : 0.5;
    if (!this.hasRoom(box.width - 6)) {
      this.drawNarrow(paths, classes, round(x), y, round(x + box.width - gap));
      return;
    }
    const rect = this.wide.next();
    rect.setAttribute("class", classes);
    rect.setAttribute("x", round(x));
    rect.setAttribute("y", y);
    rect.setAttribute("width", round(box.width - gap));
    rect.setAttribute("height", rowHeight - 1);
    const text = textThatFits(this.tree.text(node), box.width - 6, this.measure);
    if (text === "") return;
    const label = this.labels.next();
    label.setAttribute("class", this.labelClass(node, classes));
    label.setAttribute("x", round(x + 3));
    label.setAttribute("y", y + this.data.baseline);
    if (label.firstChild?.data !== text) label.textContent = text;
  }

  // Neighbours of the same colour without a gap between them become one piece of the path.
  drawNarrow(paths, classes, left, y, right) {
    let path = paths.get(classes);
    if (path === undefined) paths.set(classes, path = {pieces: [], left: 0, right: -1, y: -1});
    if (path.y === y && path.right >= left - 0.02) {
      path.right = right;
      return;
    }
    this.finishPiece(path);
    Object.assign(path, {left, right, y});
  }
  finishPiece(path) {
    if (path.right < path.left) return;
    const width = round(path.right - path.left);
    path.pieces.push(`M${path.left} ${path.y}h${width}v${this.data.rowHeight - 1}h-${width}z`);
  }

  labelClass(node, classes) {
    const kind = classes.startsWith("found") ? "on-found" : classes.includes("caller") ? "caller" : "";
    return (this.tree.isUnnamed(node) ? "unnamed " : "") + kind;
  }

  hasRoom(width) { return width >= this.measure("m") * 2; }

  // The box at a place of the picture, in its own pixels.
  boxAt(x, y) { return y < this.top || y >= this.bottom ? null : boxAt(this.rows[this.rowAt(y)], x - this.pad); }
  boxOf(node) {
    for (const row of this.rows) {
      const box = row?.find(({item}) => item.node === node);
      if (box) return box;
    }
    return null;
  }

  // A copy of what is seen, without scripts, controls and outlines.
  still() {
    const svg = this.svg.cloneNode(true);
    for (const part of svg.querySelectorAll("script, foreignObject, .hover, .focus")) part.remove();
    svg.querySelector(".head")?.removeAttribute("transform");
    return svg;
  }

  // Puts the outline of the hover or of the focus around a box.
  outline(element, box) {
    element.setAttribute("visibility", box === null ? "hidden" : "visible");
    if (box === null) return;
    element.setAttribute("x", this.pad + box.x);
    element.setAttribute("y", this.y(box.depth));
    element.setAttribute("width", Math.max(box.width - 0.5, 1));
    element.setAttribute("height", this.data.rowHeight - 1);
  }
}
