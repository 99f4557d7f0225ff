// Samples over time, with a lane for each thread and each CPU, and the losses and throttling there.

import {element} from "../../web/html.js";
import {grouped, shareText} from "../../web/numbers.js";

import {fitted, RowList} from "./dom.js";
import {threadName} from "./model.js";
import {drawLosses, drawThrottled, gapsOf} from "./overview.js";
import {forEachRow, forEachSum, nowhere} from "./selection.js";

export class LanesView {
  constructor(app) {
    this.app = app;
    this.title = "Threads & CPUs";
    this.head = element("div", {class: "head"},
      ...["Thread or CPU", "Amount", "Share", "Over time"].map(
        (text, i) => element("span", {class: i === 1 || i === 2 ? "number" : ""}, text)));
    this.scroll = element("div", {class: "scroll lanes"}, this.head);
    this.list = new RowList(this.scroll, 26, (i) => this.row(i));
    this.place = element("div", {class: "view"}, this.scroll);
    this.made = "";
  }
  update() {
    const {app} = this, {state} = app;
    const wanted = [app.version, state.unit, this.scroll.clientWidth].join();
    if (this.made !== wanted) this.compute(), this.made = wanted;
    this.list.show(this.lanes.length);
  }
  // Lanes show the samples of all threads and all times, for the selected CPUs and filter.
  compute() {
    const {app} = this, {model, state} = app;
    this.count = Math.max(40, Math.min(600, Math.floor((this.scroll.clientWidth - 420) / 2)));
    const width = Math.max(1, model.length + 1) / this.count, lanes = new Map();
    const lane = (key, make) => {
      let found = lanes.get(key);
      if (!found) lanes.set(key, found = {...make(), bins: new Float64Array(this.count), amount: 0});
      return found;
    };
    // Adds to the lanes of a thread and of a CPU.
    const forEachLane = (number, thread, cpu, add) => {
      if (thread !== null && (state.cpu === null || state.cpu === cpu)) {
        add(lane(`t${number}.${thread}`,
          () => ({number, thread, name: threadName(model.recordings[number].threads[thread])})));
      }
      if (cpu !== null && (state.thread === null || state.thread === thread)) {
        add(lane(`c${number}.${cpu}`, () => ({number, cpu, name: cpu < 0 ? "CPU not recorded" : `CPU ${cpu}`})));
      }
    };
    const add = (to, row, recording, inRange) => {
      const amount = state.unit === "samples" ? 1 : recording.rows.value[row], time = recording.rows.time[row];
      if (time !== nowhere) to.bins[Math.floor(time * recording.unit / width)] += amount;
      if (inRange) to.amount += amount;
    };
    forEachRow(model, {...state, thread: null, cpu: null, from: null, until: null}, app.kept, (row, number, thread) => {
      const recording = model.recordings[number], cpu = recording.cpus[recording.rows.cpu[row]];
      const time = recording.rows.time[row] * recording.unit;
      const inRange =
        state.from === null || (recording.rows.time[row] !== nowhere && time >= state.from && time < state.until);
      forEachLane(number, thread, cpu, (to) => add(to, row, recording, inRange));
    });
    forEachSum(model, {...state, thread: null, cpu: null}, app.kept,
      ({number, thread, cpu, samples, value}) => forEachLane(number, thread, cpu, (to) => {
        to.amount += state.unit === "samples" ? samples : value;
      }));
    const all = [...lanes.values()], prefix = (of) => (model.recordings.length > 1 ? `${of.number + 1}: ` : "");
    for (const one of all) one.name = prefix(one) + one.name;
    const cpus = all.filter((one) => one.cpu !== undefined).sort((a, b) => a.number - b.number || a.cpu - b.cpu);
    const threads = all.filter((one) => one.thread !== undefined)
                      .sort((a, b) => b.amount - a.amount || a.number - b.number || a.thread - b.thread);
    const byCpu = gapsByCpu(model);
    for (const one of cpus) one.gaps = byCpu[one.number].filter((gap) => gap.cpu === one.cpu || gap.cpu === -1);
    this.lanes =
      [{title: `CPUs (${cpus.length})`}, ...cpus, {title: `Threads (${grouped.format(threads.length)})`}, ...threads];
    const most = (of) => Math.max(1e-9, ...of.map((one) => one.bins.reduce((a, b) => Math.max(a, b), 0)));
    this.most = {cpu: most(cpus), thread: most(threads)};
    this.all = app.amounts.total(0, state.unit);
  }
  row(i) {
    const lane = this.lanes[i], {app} = this, {state} = app;
    if (lane.title) return element("div", {class: "row title"}, lane.title);
    const isCpu = lane.cpu !== undefined;
    const isChosen =
      isCpu ? state.cpu === lane.cpu : state.thread === lane.thread && (state.recording ?? 0) === lane.number;
    const canvas = element("canvas", {"aria-hidden": "true"});
    const act = () => (
      isCpu ? app.set({cpu: isChosen ? null : lane.cpu}) : app.setThread(isChosen ? null : [lane.number, lane.thread]));
    const row = element("button", {
      type: "button",
      class: isChosen ? "row chosen" : "row",
      "aria-pressed": String(isChosen),
      onclick: act,
      title: isCpu ? "Select this CPU" : "Select this thread"
    },
      element("span", {class: "name"}, lane.name), element("span", {class: "number"}, app.amountText(lane.amount)),
      element("span", {class: "number quiet"}, shareText(this.all > 0 ? lane.amount / this.all : 0)), canvas);
    requestAnimationFrame(() => canvas.isConnected && this.drawLane(canvas, lane, isCpu));
    return row;
  }
  drawLane(canvas, lane, isCpu) {
    const {context, width, height} = fitted(canvas), {model, state} = this.app;
    const style = getComputedStyle(document.documentElement), colour = (name) => style.getPropertyValue(name);
    const gaps = lane.gaps ?? [];
    drawThrottled(context, gaps, model.length, width, height, colour("--throttled"));
    context.fillStyle = colour("--area-line");
    const most = isCpu ? this.most.cpu : this.most.thread, step = width / lane.bins.length;
    lane.bins.forEach((bin, at) => {
      if (bin === 0) return;
      const tall = Math.max(1.5, Math.sqrt(bin / most) * (height - 2));
      context.fillRect(at * step, height - tall, Math.max(1, step - 0.3), tall);
    });
    drawLosses(context, gaps, model.length, width, colour("--lost"));
    if (state.from !== null) {
      context.fillStyle = colour("--page");
      context.globalAlpha = 0.6;
      context.fillRect(0, 0, state.from / (model.length + 1) * width, height);
      const right = state.until / (model.length + 1) * width;
      context.fillRect(right, 0, width - right, height);
      context.globalAlpha = 1;
    }
  }
  resized() { this.made = "", this.update(); }
}

const gapsByCpu = (model) => model.recordings.map((recording) => gapsOf(recording));
