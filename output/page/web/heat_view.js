// A column for each second, and a row for each part of a second. The view shows patterns below a second, and moments
// that stand out. Columns of long recordings are longer.

import {element} from "../../web/html.js";
import {secondsText} from "../../web/numbers.js";

import {isDark} from "./colours.js";
import {fitted, onDrag} from "./dom.js";
import {showTip} from "./flame.js";
import {niceStep} from "./overview.js";
import {forEachRow} from "./selection.js";

const heatAxis = 18;  // the height of the seconds below
const mostColumns = 1000;

export class HeatView {
  constructor(app) {
    this.app = app;
    this.title = "Heat map";
    this.rows = 50;
    this.canvas =
      element("canvas", {tabindex: "0", role: "img", "aria-label": "Samples by second and part of a second"});
    this.column = Math.max(1e9, niceStep(app.model.length / mostColumns));  // nanoseconds
    this.part = this.column / this.rows;
    const columns = this.column === 1e9 ? "seconds" : durationOf(this.column);
    this.told = element("p", {class: "quiet"},
      `Columns are ${columns}, rows are ${durationOf(this.part)} of them, from the bottom. ` +
        "Click a moment, or drag from one moment to another, to select the time between.");
    this.place = element("div", {class: "view"}, element("div", {class: "heat"}, this.told, this.canvas));
    this.made = "";
    const moment = ({x, y}) => {
      const {clientWidth, clientHeight} = this.canvas;
      const column = Math.min(this.columns - 1, Math.floor(x * clientWidth / this.wide));
      const row = Math.floor((1 - y * clientHeight / (clientHeight - heatAxis)) * this.rows);
      return column * this.column + Math.min(this.rows - 1, Math.max(0, row)) * this.part;
    };
    const rangeOf = (a, b) => {
      const [from, last] = [moment(a), moment(b)].sort((x, y) => x - y);
      return {from, until: last + this.part};
    };
    onDrag(this.canvas, (start, end, isOver) => {
      this.draft = isOver ? null : rangeOf(start, end);
      if (isOver) app.set(rangeOf(start, end));
      else this.draw();
    }, (at) => app.set(rangeOf(at, at)));
    this.canvas.addEventListener("pointermove", (event) => {
      const box = this.canvas.getBoundingClientRect();
      const from = moment({x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height});
      const bin = this.bins[Math.round(from / this.part)] ?? 0;
      showTip({title: `${secondsText(from, 1e7)} s`, rows: [[`in ${durationOf(this.part)}`, app.amountText(bin)]]},
        event.clientX, event.clientY);
    });
    this.canvas.addEventListener("pointerleave", () => showTip(null));
  }
  update() {
    const {app} = this, {model, state, kept} = app;
    const wanted = [app.version, state.unit].join();
    if (this.made !== wanted) {
      this.made = wanted;
      this.columns = Math.max(1, Math.ceil((model.length + 1) / this.column));
      this.bins = new Float64Array(this.columns * this.rows);
      forEachRow(model, {...state, from: 0, until: Infinity}, kept, (row, number) => {
        const {rows, unit} = model.recordings[number];
        this.bins[Math.floor(rows.time[row] * unit / this.part)] += state.unit === "samples" ? 1 : rows.value[row];
      });
    }
    this.draw();
  }
  draw() {
    const {context, width, height: whole} = fitted(this.canvas), {state} = this.app, height = whole - heatAxis;
    const style = getComputedStyle(document.documentElement);
    context.fillStyle = style.getPropertyValue("--panel");
    context.fillRect(0, 0, width, height);
    const most = this.bins.reduce((a, b) => Math.max(a, b), 0), wide = this.wide = Math.min(36, width / this.columns),
          tall = height / this.rows;
    const range = this.draft ?? (state.from === null ? null : state), {part} = this;
    this.bins.forEach((bin, i) => {
      const column = Math.floor(i / this.rows), row = i % this.rows, time = i * part;
      const isOutside = range && (time + part <= range.from || time >= range.until);
      if (bin > 0) {
        context.globalAlpha = isOutside ? 0.25 : 1;
        context.fillStyle = heatColour(bin / most);
        context.fillRect(column * wide, height - (row + 1) * tall, Math.max(0.6, wide - (wide > 4 ? 1 : 0)),
          Math.max(0.6, tall - (tall > 4 ? 1 : 0)));
      } else if (range && !isOutside) {
        context.globalAlpha = 1;
        context.fillStyle = style.getPropertyValue("--accent-soft");
        context.fillRect(column * wide, height - (row + 1) * tall, wide, tall);
      }
    });
    context.globalAlpha = 1;
    context.fillStyle = style.getPropertyValue("--quiet");
    context.font = "11px system-ui, \"Segoe UI\", sans-serif";
    const step = niceStep(60 / wide);
    for (let at = 0; at < this.columns; at += step)
      context.fillText(`${at * this.column / 1e9} s`, at * wide + 1, whole - 4);
  }
  resized() {
    if (this.bins) this.draw();
  }
}

const durationOf = (nanoseconds) => (nanoseconds < 1e9 ? `${nanoseconds / 1e6} ms` : `${nanoseconds / 1e9} s`);

// The colour of a share, from pale to strong, in steps that look equal.
function heatColour(share) {
  const strength = Math.sqrt(share);
  return isDark() ? `hsl(${28 - 10 * strength} ${40 + 45 * strength}% ${18 + 46 * strength}%)`
                  : `hsl(${32 - 20 * strength} ${60 + 20 * strength}% ${92 - 52 * strength}%)`;
}
