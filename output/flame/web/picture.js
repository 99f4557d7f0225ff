// Draws the tree: what has room for a name becomes a rectangle, what is narrower becomes a part of one path for each
// colour. So there are few elements, whatever the size of the tree: thousands would take longer than a frame.

import {Margins} from "./margins.js";
import {FlameTree} from "./tree.js";

const svgName = "http://www.w3.org/2000/svg";
export const svgElement = (name, attributes, parent) => {
  const element = document.createElementNS(svgName, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
};

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
    if (this.used === this.all.length) this.all.push(document.createElementNS(svgName, this.name));
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
    this.widths = new Map();
    this.measure = measure(svg, data.fontSize);
    this.margins = new Margins(svg, data);
    this.rows = [];
    this.height = 0;
    this.laneRows = this.findLaneRows();
  }

  get pad() { return 10; }
  // On narrow screens the search has a row of its own above the frames.
  get isNarrow() { return this.pictureWidth < 760; }
  get barWidth() { return Math.min(470, this.size); }
  get top() { return this.headHeight + (this.isNarrow ? 34 : 0); }
  get size() { return this.pictureWidth - 2 * this.pad; }

  // The first row of each lane, and one behind the last.
  findLaneRows() {
    const rows = [0];
    for (const lane of this.tree.kind === "lanes" ? this.tree.bases : [0]) {
      let deepest = 0;
      for (let node = lane; node < this.tree.end[lane]; ++node) deepest = Math.max(deepest, this.tree.depth[node]);
      rows.push(rows.at(-1) + deepest + 1);
    }
    return rows;
  }

  // The part of the lanes that is shown; the whole is 0 to 1.
  view() {
    if (this.zoomed === 0) return {from: 0, until: 1};
    const from = this.tree.left(this.zoomed);
    return {from, until: from + this.tree.width(this.zoomed)};
  }

  draw(width) {
    this.pictureWidth = width;
    const roomOfTitle = this.isNarrow ? this.size : this.size - this.barWidth - this.pad;
    this.headHeight = this.margins.layOutHead(this.size, roomOfTitle);
    const shown = this.layOut();
    this.place(shown);
    this.narrow.begin();
    this.wide.begin();
    this.labels.begin();
    const paths = new Map();
    for (const row of this.rows) {
      for (const item of row ?? []) this.drawItem(item, paths);
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

  // Fills rows with the nodes that are shown, from left to right; returns the number of rows.
  layOut() {
    const {tree, size} = this, {from, until} = this.view();
    const scale = size / (until - from);
    const narrowest = Math.max(this.data.minWidth, this.data.minShare * size) / scale;
    this.rows = [];
    const lanes = tree.kind === "lanes";
    // A lane may have nothing but narrow frames: the first one of each column stands for them.
    const column = Math.max(narrowest * scale, 1), drawnUntil = lanes ? new Float64Array(this.laneRows.at(-1)) : null;
    let lane = -1, row = 0, deepest = 0;
    for (let node = lanes ? 1 : 0; node < tree.count;) {
      const depth = tree.depth[node], end = tree.end[node];
      if (lanes && depth === 1) row = this.laneRows[++lane] - 1;
      const left = tree.start[node] - Math.max(lane, 0), right = tree.start[end] - Math.max(lane, 0);
      let x = (Math.max(left, from) - from) * scale, width = (Math.min(right, until) - from) * scale - x;
      const columnLeft = Math.floor(x / column) * column;
      const standsForColumn = lanes && width < column && columnLeft >= drawnUntil[row + depth] - 0.001;
      if (right <= from || left >= until || tree.isGap(node) || (right - left < narrowest && !standsForColumn)) {
        node = end;
        continue;
      }
      if (standsForColumn) x = columnLeft, width = column;
      const item = {node, x, width, row: row + depth};
      if (lanes) drawnUntil[item.row] = x + width;
      (this.rows[item.row] ??= []).push(item);
      deepest = Math.max(deepest, item.row);
      ++node;
    }
    return lanes ? this.laneRows.at(-1) : deepest + 1;
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
    if (this.found?.matches[node]) return "found";
    if (node === 0) return "root";
    if (tree.difference) return "c" + tree.change[node];
    return tree.isUnnamed(node) ? "u" : "c" + (tree.frames[tree.frame[node]][1] ?? 0);
  }

  drawItem(item, paths) {
    const {rowHeight} = this.data, y = this.y(item.row), x = this.pad + item.x;
    const isCaller =
      item.node < this.zoomed && this.tree.end[item.node] >= this.tree.end[this.zoomed] && this.tree.kind !== "lanes";
    const classes = this.classes(item.node) + (isCaller ? " caller" : "");
    const gap = item.width < 3 ? 0 : 0.5;
    if (!this.hasRoom(item.width - 6)) {
      this.drawNarrow(paths, classes, round(x), y, round(x + item.width - gap));
      return;
    }
    const rect = this.wide.next();
    rect.setAttribute("class", classes);
    rect.setAttribute("x", round(x));
    rect.setAttribute("y", y);
    rect.setAttribute("width", round(item.width - gap));
    rect.setAttribute("height", rowHeight - 1);
    const text = this.fit(this.tree.text(item.node), item.width - 6);
    if (text === "") return;
    const label = this.labels.next();
    label.setAttribute("class", this.labelClass(item.node, classes));
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
    path.pieces.push(`M${path.left} ${path.y}h${width}v${this.data.rowHeight - 1}h${- width}z`);
  }

  labelClass(node, classes) {
    return (this.tree.isUnnamed(node) ? "unnamed " : "") +
      (classes.startsWith("found")     ? "on-found"
          : classes.includes("caller") ? "caller"
                                       : "");
  }

  hasRoom(width) { return width >= this.measure("m") * 2; }
  // The text, or as much of its start as fits.
  fit(text, width) {
    const {measure} = this;
    if (!this.hasRoom(width)) return "";
    const dots = measure("…");
    let used = 0, end = 0, at = 0;
    for (const character of text) {
      used += measure(character);
      if (used > width) return end === 0 ? "" : text.slice(0, end) + "…";
      at += character.length;
      if (used + dots <= width) end = at;
    }
    return text;
  }

  // What is drawn at a place of the picture, in its own pixels.
  itemAt(x, y) {
    const row = this.rows[this.rowAt(y)];
    if (row === undefined || y < this.top || y >= this.bottom) return null;
    const at = x - this.pad;
    let low = 0, high = row.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (row[middle].x <= at) low = middle + 1;
      else high = middle;
    }
    const item = row[low - 1];
    return item !== undefined && at < item.x + item.width ? item : null;
  }
  itemOf(node) {
    for (const row of this.rows) {
      const item = row?.find((candidate) => candidate.node === node);
      if (item) return item;
    }
    return null;
  }

  // Puts the outline of the hover or of the focus around an item.
  outline(element, item) {
    element.setAttribute("visibility", item === null ? "hidden" : "visible");
    if (item === null) return;
    element.setAttribute("x", this.pad + item.x);
    element.setAttribute("y", this.y(item.row));
    element.setAttribute("width", Math.max(item.width - 0.5, 1));
    element.setAttribute("height", this.data.rowHeight - 1);
  }
}

// The width of a character in the picture's font.
export const measure = (svg, fontSize, weight = 400) => {
  const canvas = document.createElementNS("http://www.w3.org/1999/xhtml", "canvas").getContext?.("2d");
  const widths = new Map();
  if (canvas) canvas.font = `${weight} ${fontSize}px ${getComputedStyle(svg).fontFamily}`;
  return (character) => {
    let width = widths.get(character);
    if (width === undefined) {
      width = canvas ? canvas.measureText(character).width : fontSize * 0.6;
      widths.set(character, width);
    }
    return width;
  };
};
