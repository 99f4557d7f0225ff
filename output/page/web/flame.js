// A flame graph on a canvas. Only the visible rows are drawn.

import {element} from "../../web/html.js";
import {boxAt, layOut} from "../../web/layout.js";
import {clipped, measureOf, textThatFits} from "../../web/text.js";
import {besidePointer} from "../../web/tip.js";

import {isDark} from "./colours.js";
import {byId, fitted} from "./dom.js";

const fontSize = 12, fontFamily = "system-ui, \"Segoe UI\", \"Noto Sans\", sans-serif";
export const measure = measureOf(fontSize, fontFamily);
export const rowHeight = 19;

// The functions from the root to the box.
function pathOf(box) {
  const path = [];
  for (let at = box; at && at.parent; at = at.parent) path.unshift(at.item.frame);
  return path;
}

export class Flame {
  // `told`: {name(frame), painter(), matches(frame), tip(box), zoom(path), open(frame), selected(box)}. Two linked
  // graphs also have pointed(path or null) and scrolled(row of the root that is on top).
  constructor(label, told) {
    this.told = told;
    this.canvas = element("canvas", {tabindex: "0", role: "img", "aria-label": label, "aria-describedby": "status"});
    this.spacer = element("div");
    this.place = element("div", {class: "flame"}, this.canvas, this.spacer);
    this.upwards = false;
    this.tree = null;
    this.zoom = [];
    this.layout = null;
    this.chosen = null;
    this.marked = null;  // the path of the box under the pointer, in a linked graph
    this.share = 1;
    this.listen();
  }

  // share: the fraction of the available width that the graph takes.
  show(tree, zoom, {upwards, share = 1}) {
    const isSame = tree === this.tree && upwards === this.upwards;
    // A search changes only colours.
    const {clientWidth, clientHeight} = this.place;
    const isLaidOut = isSame && String(zoom) === String(this.zoom) && share === this.share &&
      clientWidth === this.width && clientHeight === this.laidOutFor;
    Object.assign(this, {tree, zoom, upwards, share});
    if (!isLaidOut) this.layOut();
    if (!isSame || !this.chosen) this.chosen = null;
    this.draw();
    if (upwards && !isSame) this.place.scrollTop = this.place.scrollHeight, this.draw();
  }
  layOut() {
    const width = this.place.clientWidth;
    if (!this.tree || width === 0) return;
    const chosen = this.chosen ? pathOf(this.chosen) : null;
    this.layout = layOut(this.tree, this.zoom, width * this.share);
    this.width = width;
    this.height = this.layout.rows.length * rowHeight;
    this.laidOutFor = this.place.clientHeight;
    this.spacer.style.height = `${Math.max(0, this.height - this.laidOutFor)}px`;
    if (chosen !== null) this.chosen = this.boxOfPath(chosen);
  }
  boxOfPath(path) {
    const {rows} = this.layout;
    return path.reduce((box, frame) => box &&
        (rows[box.depth + 1]?.find((child) => child.parent === box && child.item.frame === frame) ?? null),
      rows[0][0]);
  }
  mark(path) {
    if (!this.layout || String(this.marked) === String(path)) return;
    this.marked = path;
    this.draw();
  }
  resized() {
    if (!this.tree) return;
    this.layOut();
    this.draw();
  }

  top(depth) {
    return this.upwards ? Math.max(this.height, this.place.clientHeight) - (depth + 1) * rowHeight : depth * rowHeight;
  }
  // How far the root is scrolled out of view.
  distance() {
    const {scrollTop, scrollHeight, clientHeight} = this.place;
    return this.upwards ? scrollHeight - clientHeight - scrollTop : scrollTop;
  }
  setDistance(distance) {
    if (Math.abs(this.distance() - distance) < 1) return;
    const {scrollHeight, clientHeight} = this.place;
    this.place.scrollTop = this.upwards ? scrollHeight - clientHeight - distance : distance;
  }
  depthAt(y) {
    return this.upwards ? Math.floor((Math.max(this.height, this.place.clientHeight) - y) / rowHeight)
                        : Math.floor(y / rowHeight);
  }

  draw() {
    if (!this.layout) return;
    const height = this.place.clientHeight;
    if (height === 0) return;
    this.canvas.style.height = `${height}px`;
    this.canvas.style.width = `${this.width}px`;
    const {context} = fitted(this.canvas, this.width, height);
    const style = getComputedStyle(document.documentElement);
    this.colours = {
      edge: style.getPropertyValue("--edge"),
      text: style.getPropertyValue("--text"),
      match: style.getPropertyValue("--match"),
      accent: style.getPropertyValue("--accent")
    };
    context.font = `${fontSize}px ${fontFamily}`;
    context.textBaseline = "middle";
    const scroll = this.place.scrollTop, paint = this.told.painter();
    this.colours.onMatch = isDark() ? "#16181b" : "#ffffff";
    this.layout.rows.forEach((row, depth) => {
      const y = this.top(depth) - scroll;
      if (y > -rowHeight && y < height) this.drawRow(context, row, y, paint);
    });
    for (const box of [this.chosen, this.marked === null ? null : this.boxOfPath(this.marked)]) {
      if (box) this.drawFrame(context, box, this.top(box.depth) - scroll);
    }
  }
  // If several boxes are in one pixel, the first is drawn.
  drawRow(context, row, y, paint) {
    context.globalAlpha = row[0].depth < this.zoom.length ? 0.55 : 1;
    let last = -1;
    for (const box of row) {
      const pixel = Math.floor(box.x);
      if (box.width < 1 && pixel === last) continue;
      last = pixel;
      this.drawBox(context, box, y, paint);
    }
    context.globalAlpha = 1;
  }
  drawBox(context, box, y, paint) {
    const {frame} = box.item, isMatch = this.told.matches(frame);
    context.fillStyle = isMatch ? this.colours.match : paint(box);
    context.fillRect(box.x, y + 0.5, box.width - (box.width > 3 ? 0.8 : 0), rowHeight - 1);
    if (box.width <= 26) return;
    context.fillStyle = isMatch ? this.colours.onMatch : this.colours.text;
    const text = textThatFits(this.told.name(frame), box.width - 8, measure);
    if (text) context.fillText(text, box.x + 4, y + rowHeight / 2 + 0.5);
  }
  drawFrame(context, box, y) {
    context.strokeStyle = this.colours.accent;
    context.lineWidth = 2;
    context.strokeRect(box.x + 1, y + 1.5, Math.max(2, box.width - 2.8), rowHeight - 3);
  }

  boxOf(event) {
    if (!this.layout) return null;
    const box = this.place.getBoundingClientRect();
    return boxAt(
      this.layout.rows[this.depthAt(event.clientY - box.top + this.place.scrollTop)], event.clientX - box.left);
  }
  listen() {
    this.place.addEventListener("scroll", () => {
      this.draw();
      this.told.scrolled?.(this.distance());
    });
    this.canvas.addEventListener("pointermove", (event) => {
      const box = this.boxOf(event);
      this.canvas.style.cursor = box ? "pointer" : "default";
      showTip(box ? this.told.tip(box) : null, event.clientX, event.clientY);
      this.told.pointed?.(box ? pathOf(box) : null);
    });
    this.canvas.addEventListener("pointerleave", () => {
      showTip(null);
      this.told.pointed?.(null);
    });
    this.canvas.addEventListener("click", (event) => {
      const box = this.boxOf(event);
      if (!box) return;
      if (event.shiftKey) {
        this.choose(box);
        this.open(box);
      } else {
        this.chosen = box;  // drawn together with the zoom
        this.zoomTo(box);
      }
    });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
  }
  zoomTo(box) {
    showTip(null);
    this.told.zoom(pathOf(box));
  }
  open(box) {
    if (box.item.frame >= 0) this.told.open(box.item.frame);
  }
  choose(box) {
    if (!box) return;
    this.chosen = box;
    const top = this.top(box.depth);
    if (top < this.place.scrollTop) this.place.scrollTop = top;
    if (top + rowHeight > this.place.scrollTop + this.place.clientHeight)
      this.place.scrollTop = top + rowHeight - this.place.clientHeight;
    this.draw();
    this.told.selected(box);
  }
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.layout) return;
    const box = this.chosen ?? this.layout.focus, row = this.layout.rows[box.depth], at = row.indexOf(box);
    const inner = () => (this.layout.rows[box.depth + 1] ?? [])
                          .filter((child) => child.parent === box)
                          .reduce((widest, child) => (!widest || child.width > widest.width ? child : widest), null);
    const [towardsRoot, towardsLeaf] = this.upwards ? ["ArrowDown", "ArrowUp"] : ["ArrowUp", "ArrowDown"];
    const act = {
      [towardsRoot]: () => this.choose(box.parent ?? box),
      [towardsLeaf]: () => this.choose(this.chosen ? inner() : box),
      ArrowLeft: () => this.choose(row[at - 1]),
      ArrowRight: () => this.choose(row[at + 1]),
      Enter: () => this.zoomTo(box),
      " ": () => this.zoomTo(box),
      f: () => this.open(box),
      Backspace: () => this.told.zoom(this.zoom.slice(0, -1)),
      Home: () => this.told.zoom([]),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
}

// Shows a box with facts about the item under the pointer: {title, rows: [[label, text]…]}. null: hides the box.
export function showTip(facts, x, y) {
  const tip = byId("tip");
  tip.hidden = !facts;
  if (!facts) return;
  const rows = facts.rows.map(([label, text]) => element("tr", {}, element("td", {}, label), element("td", {}, text)));
  tip.replaceChildren(element("b", {}, clipped(facts.title, 600)), element("table", {}, ...rows));
  const size = {width: tip.offsetWidth, height: tip.offsetHeight};
  const place = besidePointer(x, y, size, {top: 0, right: innerWidth, bottom: innerHeight});
  tip.style.left = `${place.x}px`;
  tip.style.top = `${place.y}px`;
}
