// The elements of which views are made.

import {element} from "../../web/html.js";
import {clipped} from "../../web/text.js";

export const byId = (id) => document.getElementById(id);

export const option = (value, text, selected) =>
  element("option", {value: String(value), selected}, clipped(String(text), 120));

// Fits the pixels of a canvas to its size on the screen. Returns the context, and the size in CSS pixels.
export function fitted(canvas, width = canvas.clientWidth, height = canvas.clientHeight) {
  const ratio = window.devicePixelRatio || 1;
  const pixels = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== pixels[0]) canvas.width = pixels[0];
  if (canvas.height !== pixels[1]) canvas.height = pixels[1];
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return {context, width, height};
}

// Calls act(start, end, isOver) with fractions of the element's width while the pointer is dragged over the element.
// Calls click(fraction) if the pointer was pressed without being dragged.
export function onDrag(target, act, click) {
  let start = null, moved = false;
  const place = (event) => {
    const box = target.getBoundingClientRect();
    return {
      x: Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)),
      y: Math.min(1, Math.max(0, (event.clientY - box.top) / box.height))
    };
  };
  target.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    start = place(event), moved = false;
    target.setPointerCapture(event.pointerId);
  });
  target.addEventListener("pointermove", (event) => {
    if (!start) return;
    const now = place(event), box = target.getBoundingClientRect();
    moved ||= Math.abs(now.x - start.x) * box.width > 3 || Math.abs(now.y - start.y) * box.height > 3;
    if (moved) act(start, now, false);
  });
  target.addEventListener("pointerup", (event) => {
    if (!start) return;
    moved ? act(start, place(event), true) : click(start);
    start = null;
  });
  target.addEventListener("pointercancel", () => {
    start = null;
  });
}

// A list that has only its visible rows in the page. `render(i)`: the element of a row.
export class RowList {
  constructor(scroll, height, render) {
    Object.assign(this, {scroll, height, render, count: 0});
    this.rows = element("div", {class: "rows"});
    scroll.append(this.rows);
    scroll.addEventListener("scroll", () => this.draw());
  }
  show(count) {
    this.count = count;
    this.rows.style.height = `${count * this.height}px`;
    this.draw();
  }
  draw() {
    const top = Math.max(0, this.scroll.scrollTop - this.rows.offsetTop);
    const first = Math.max(0, Math.floor(top / this.height) - 4);
    const end = Math.min(this.count, Math.ceil((top + this.scroll.clientHeight) / this.height) + 4);
    const shown = [];
    for (let i = first; i < end; ++i) {
      const row = this.render(i);
      row.style.top = `${i * this.height}px`;
      shown.push(row);
    }
    this.rows.replaceChildren(...shown);
  }
  bringIntoView(i) {
    const top = this.rows.offsetTop + i * this.height, head = this.rows.offsetTop;
    if (top - head < this.scroll.scrollTop) this.scroll.scrollTop = top - head;
    const bottom = top + this.height - this.scroll.clientHeight;
    if (bottom > this.scroll.scrollTop) this.scroll.scrollTop = bottom;
  }
}
