// The samples over time, at the top of every view. The user chooses a range here.

import {element} from "../../web/html.js";
import {countText, durationText, rangeTexts, secondsText} from "../../web/numbers.js";

import {byId, fitted, onDrag} from "./dom.js";
import {showTip} from "./flame.js";
import {amountsOverTime} from "./selection.js";
import {pick} from "./state.js";

export class Overview {
  constructor(app) {
    this.app = app;
    this.canvas = byId("overview");
    this.draft = null;  // the range while it is dragged
    onDrag(this.canvas, (start, end, isOver) => {
      this.draft = isOver ? null : this.rangeOf(start.x, end.x);
      if (isOver) app.set(this.rangeOf(start.x, end.x));
      else this.draw();
    }, () => app.set({from: null, until: null}));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("pointerleave", () => showTip(null));
    byId("no-times").hidden = app.model.hasTimes;
    this.canvas.hidden = !app.model.hasTimes;
    this.legend = byId("gaps");
  }
  rangeOf(a, b) {
    const length = this.app.model.length + 1;
    const [from, until] = [Math.floor(Math.min(a, b) * length), Math.ceil(Math.max(a, b) * length)];
    return until > from ? {from, until} : {from: null, until: null};
  }
  key(event) {
    const {state, model} = this.app, length = model.length + 1, step = length / (event.shiftKey ? 10 : 100);
    let {from, until} = state.from === null ? {from: 0, until: length} : state;
    const width = until - from;
    if (event.key === "ArrowLeft") from = Math.max(0, from - step), until = from + width;
    else if (event.key === "ArrowRight") until = Math.min(length, until + step), from = until - width;
    else if (event.key === "ArrowDown" && width > step) from += step / 2, until -= step / 2;
    else if (event.key === "ArrowUp") from = Math.max(0, from - step / 2), until = Math.min(length, until + step / 2);
    else if (event.key === "Home") return this.app.set({from: null, until: null});
    else return;
    event.preventDefault();
    const isAll = from <= 0 && until >= length;
    this.app.set(isAll ? {from: null, until: null} : {from: Math.round(from), until: Math.round(until)}, !event.repeat);
  }
  point(event) {
    const box = this.canvas.getBoundingClientRect(), {model, app} = {model: this.app.model, app: this.app};
    const time = (event.clientX - box.left) / box.width * model.length;
    const near = model.length / box.width * 3;
    const gaps = this.gaps().filter((gap) => gap.from - near <= time && time <= gap.until + near);
    const bin =
      this.bins[Math.min(this.bins.length - 1, Math.floor((event.clientX - box.left) / box.width * this.bins.length))];
    showTip({
      title: secondsText(time, model.length / 1000) + " s",
      rows: [["here", app.amountText(bin)], ...gaps.slice(0, 5).map((gap) => [gap.kind, gapText(gap)])]
    },
      event.clientX, event.clientY);
  }
  gaps() {
    const {state, model} = this.app;
    return model.recordings.flatMap((recording, number) => state.recording !== null && state.recording !== number
        ? []
        : gapsOf(recording).filter((gap) => state.cpu === null || gap.cpu === -1 || gap.cpu === state.cpu));
  }
  update() {
    const {model, state, kept} = this.app;
    if (!model.hasTimes) return;
    const count = Math.max(50, Math.min(1200, Math.floor(this.canvas.clientWidth / 2)));
    // There may be millions of samples, so a zoom, a search or another range does not add them up again.
    const binned = JSON.stringify([pick(state, ["event", "recording", "thread", "cpu", "filter", "unit"]), count]);
    if (this.binned !== binned) {
      this.binned = binned;
      this.bins = amountsOverTime(model, state, kept, state.unit, count);
    }
    const range = state.from === null ? "all" : `${rangeTexts(state).join(" to ")} seconds`;
    this.canvas.setAttribute("aria-valuetext", range);
    this.showLegend();
    this.draw();
  }
  // Shows the meaning of the colours of gaps, if there are gaps.
  showLegend() {
    const gaps = this.gaps(), isThrottled = (gap) => gap.kind === "throttled";
    const patch = (kind, text) => element("span", {class: `key ${kind}`}, element("i"), text);
    this.legend.replaceChildren(...(gaps.some(isThrottled) ? [patch("throttled", "throttled: sampling stopped")] : []),
      ...(gaps.every(isThrottled) ? [] : [patch("lost", "samples or records lost")]));
    this.legend.hidden = gaps.length === 0;
  }
  draw() {
    if (!this.bins) return;
    const {context, width, height} = fitted(this.canvas), {model, state} = this.app;
    const style = getComputedStyle(document.documentElement), colour = (name) => style.getPropertyValue(name);
    const axis = 16, bottom = height - axis;
    context.fillStyle = colour("--panel");
    context.fillRect(0, 0, width, bottom);
    drawThrottled(context, this.gaps(), model.length, width, bottom, colour("--throttled"));
    drawArea(context, this.bins, width, bottom, colour("--area"), colour("--area-line"));
    drawLosses(context, this.gaps(), model.length, width, colour("--lost"));
    drawSeconds(context, model.length, width, height, axis, colour("--quiet"), colour("--line"));
    const draw = (range, fill, stroke) => {
      const left = range.from / (model.length + 1) * width, right = range.until / (model.length + 1) * width;
      context.fillStyle = fill;
      context.globalAlpha = 0.72;
      context.fillRect(0, 0, left, bottom);
      context.fillRect(right, 0, width - right, bottom);
      context.globalAlpha = 1;
      context.fillStyle = stroke;
      context.fillRect(left - 1, 0, 2, bottom);
      context.fillRect(right - 1, 0, 2, bottom);
    };
    const range = this.draft ?? (state.from !== null ? state : null);
    if (range && range.from !== null) draw(range, colour("--page"), colour("--accent"));
    const base = state.base;
    if (base && base.from !== null) {
      context.fillStyle = colour("--quiet");
      const left = base.from / (model.length + 1) * width;
      context.fillRect(left, bottom - 3, Math.max(2, (base.until - base.from) / (model.length + 1) * width), 3);
    }
  }
}

export function gapsOf(recording) {
  return recording.gaps.map(([kind, cpu, from, until, count]) =>
                              ({kind, cpu, count, from: from * recording.unit, until: until * recording.unit}));
}

function gapText(gap) {
  const cpu = gap.cpu >= 0 ? `CPU ${gap.cpu}` : "a CPU";
  return gap.kind === "throttled" ? `${cpu}, ${durationText(gap.until - gap.from)}` : `${countText(gap.count)}, ${cpu}`;
}

function drawArea(context, bins, width, bottom, fill, line) {
  let most = 0;
  for (const bin of bins) most = Math.max(most, bin);
  if (most === 0) return;
  const path = new Path2D(), top = new Path2D(), step = width / bins.length;
  path.moveTo(0, bottom);
  bins.forEach((bin, i) => {
    const y = bottom - bin / most * (bottom - 6);
    for (const x of [i * step, (i + 1) * step])
      path.lineTo(x, y), i === 0 && x === 0 ? top.moveTo(x, y) : top.lineTo(x, y);
  });
  path.lineTo(width, bottom);
  context.fillStyle = fill;
  context.fill(path);
  context.strokeStyle = line;
  context.lineWidth = 1;
  context.stroke(top);
}

export function drawThrottled(context, gaps, length, width, bottom, colour) {
  context.fillStyle = colour;
  context.globalAlpha = 0.28;
  for (const gap of gaps) {
    if (gap.kind === "throttled")
      context.fillRect(gap.from / length * width, 0, Math.max(1.5, (gap.until - gap.from) / length * width), bottom);
  }
  context.globalAlpha = 1;
}

export function drawLosses(context, gaps, length, width, colour) {
  context.fillStyle = colour;
  for (const gap of gaps) {
    if (gap.kind !== "throttled")
      context.fillRect(gap.from / length * width, 0, Math.max(2, (gap.until - gap.from) / length * width), 4);
  }
}

function drawSeconds(context, length, width, height, axis, colour, line) {
  const step = niceStep(length / Math.max(2, width / 110));
  context.font = "11px system-ui, \"Segoe UI\", sans-serif";
  context.textBaseline = "alphabetic";
  context.fillStyle = line;
  context.fillRect(0, height - axis, width, 1);
  for (let time = 0; time <= length; time += step) {
    const x = time / length * width;
    context.fillStyle = line;
    context.fillRect(x, height - axis, 1, 4);
    const text = `${secondsText(time, step)} s`, wide = context.measureText(text).width;
    context.fillStyle = colour;
    context.fillText(text, Math.min(width - wide - 1, x + 3), height - 2);
  }
}

// The smallest 1, 2 or 5 times a power of ten that is at least `least`.
export function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
}
