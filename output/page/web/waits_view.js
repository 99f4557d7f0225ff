// How long threads were off their CPU, and the longest waits, from context switches.

import {element} from "../../web/html.js";
import {counted, durationText, grouped, secondsText} from "../../web/numbers.js";

import {fitted} from "./dom.js";
import {showTip} from "./flame.js";
import {threadName} from "./model.js";
import {isKept} from "./selection.js";
import {sumOf} from "./trees.js";

export class WaitsView {
  constructor(app) {
    this.app = app;
    this.title = "Off-CPU";
    this.canvas = element("canvas", {role: "img", "aria-label": "Off-CPU time by the length of the intervals"});
    this.told = element("p", {class: "quiet"});
    this.bins = [];
    this.ignored = element("p", {class: "notice"});
    this.key = element("p");
    this.lists = element("div");
    this.place = element("div", {class: "view"},
      element("div", {class: "waits"},
        element("section", {}, element("h2", {}, "Off-CPU time by the length of intervals"), this.told, this.ignored,
          this.canvas, this.key),
        this.lists));
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("pointerleave", () => showTip(null));
  }
  // The parts of the selected threads' intervals that are in the range and pass the filter.
  async update() {
    const {app} = this, {filter} = app.state;
    this.asked = filter === ""
      ? {kept: null}
      : await app.bar.filter.waits(filter).catch(() => ({error: "The server does not answer."}));
    if (filter === app.state.filter) this.show(this.asked.kept ?? null);
  }
  show(kept) {
    const {model, state} = this.app;
    this.bins = Array.from({length: 44}, () => ({count: 0, queue: 0, blocked: 0}));
    const all = new WaitSums(), cut = new WaitSums(),
          longest = {queue: new Longest("queue"), length: new Longest("length")};
    let unknown = 0;  // time outside the intervals in which nothing is known
    model.recordings.forEach((recording, number) => {
      if (!recording.waits || (state.recording !== null && state.recording !== number)) return;
      const wanted = state.thread === null ? null : recording.threads[state.thread].tid;
      const isWanted = ({tid}) => wanted === null || tid === wanted;
      unknown += sumOf(recording.waitingThreads.filter(isWanted).map((thread) => thread.unknown));
      forEachWait(recording, state, (i, wait) => {
        if (!isWanted(wait.thread) || (kept && !isKept(kept[number], i))) return;
        unknown -= recording.waits.unknown[i];
        all.add(wait);
        longest.queue.add(wait), longest.length.add(wait);
        if (!wait.isWhole) return cut.add(wait);
        const bin = this.bins[Math.min(43, Math.floor(Math.log2(Math.max(1, wait.wholeLength))))];
        ++bin.count, bin.queue += wait.queue, bin.blocked += wait.length - wait.queue;
      });
    });
    this.showIgnored();
    this.told.textContent = all.count === 0 ? "No interval is selected." : this.totals(all, cut, unknown);
    this.lists.replaceChildren(
      this.list("Longest waits for a CPU", longest.queue), this.list("Longest intervals off the CPU", longest.length));
    this.draw();
  }
  totals(all, cut, unknown) {
    const {state} = this.app, where = state.from === null ? "" : " in the range of time";
    return [
      `${counted(all.count, "interval")}: ${durationText(all.length)}${where}, of which ${
        durationText(all.queue)} waiting for a CPU` +
        (all.unknown > 0 ? `, ${durationText(all.unknown)} unknown (records were lost)` : ""),
      cut.count === 0 ? ""
                      : `Not in the picture (incomplete: an end was not seen, or records were lost): ${
                          counted(cut.count, "interval")}, ${durationText(cut.length)}`,
      unknown > 0 && state.from === null && state.filter === ""
        ? `Beside them ${durationText(unknown)} of unknown time, on or off a CPU`
        : ""
    ].filter(Boolean)
      .join("\n");
  }
  // Shows which parts of the selection do not apply to intervals.
  showIgnored() {
    const {state} = this.app, parts = [];
    if (this.asked.error)
      parts.push(`The filter is one of samples, not of intervals, so all intervals are shown: ${
        this.asked.error.split("\n")[0]}`);
    if (state.cpu !== null) parts.push("Intervals are of all CPUs.");
    this.ignored.hidden = parts.length === 0;
    this.ignored.textContent = parts.join("\n");
  }
  list(title, {waits, by}) {
    const wholeOf = (one) => (by === "queue" ? one.wholeQueue : one.wholeLength);
    const length = (one) => (one.isWhole ? "" : "at least ") + durationText(one[by]) +
      (one[by] < wholeOf(one) ? ` of ${durationText(wholeOf(one))}` : "");
    const row = (one) => element("tr", {}, element("td", {class: "number"}, length(one)),
      element("td", {class: "number quiet"},
        one.start < 0 ? "before the first sample" : `at ${secondsText(one.start, 1e6)} s`),
      element("td", {}, threadName(one.thread)), element("td", {}, this.selectButton(one)));
    return element("section", {}, element("h2", {}, title),
      waits.length === 0 ? element("p", {class: "quiet"}, "none")
                         : element("table", {class: "facts"}, ...waits.map(row)));
  }
  // A range of the page begins with the first sample.
  selectButton({start, wholeLength}) {
    const from = Math.max(0, Math.floor(start)), until = Math.ceil(start + Math.max(1, wholeLength)),
          isOver = until <= from;
    return element("button", {
      type: "button",
      disabled: isOver,
      title: isOver ? "This interval is over before the first sample, with which the time of the page begins"
                    : "Select the time of this interval",
      onclick: () => this.app.set({from, until})
    },
      "select");
  }
  shown() {
    const first = this.bins.findIndex((bin) => bin.count > 0), last = this.bins.findLastIndex((bin) => bin.count > 0);
    return first < 0 ? [] : this.bins.slice(first, last + 1).map((bin, i) => ({...bin, from: 2 ** (first + i)}));
  }
  draw() {
    const {context, width, height} = fitted(this.canvas), bins = this.shown();
    const style = getComputedStyle(document.documentElement), colour = (name) => style.getPropertyValue(name);
    const patch = (name, text) => {
      const made = element("i");
      made.style.background = colour(name);
      return element("span", {class: "key"}, made, text);
    };
    this.key.replaceChildren(patch("--area-line", "blocked"), patch("--throttled", "waiting for a CPU"));
    const most = Math.max(1, ...bins.map((bin) => bin.queue + bin.blocked)),
          wide = Math.min(64, width / Math.max(1, bins.length)), bottom = height - 20;
    context.font = "11px system-ui, \"Segoe UI\", sans-serif";
    bins.forEach((bin, i) => {
      const blocked = bin.blocked / most * (bottom - 8), queue = bin.queue / most * (bottom - 8);
      context.fillStyle = colour("--area-line");
      context.fillRect(i * wide + 1, bottom - blocked, wide - 3, blocked);
      context.fillStyle = colour("--throttled");
      context.fillRect(i * wide + 1, bottom - blocked - queue, wide - 3, queue);
      context.fillStyle = colour("--quiet");
      if (wide > 44 || i % 2 === 0)
        context.fillText(durationText(bin.from).replace(/\.\d+/, ""), i * wide + 1, height - 6);
    });
    context.fillStyle = colour("--line");
    context.fillRect(0, bottom, width, 1);
    this.wide = wide;
  }
  point(event) {
    const box = this.canvas.getBoundingClientRect(),
          bin = this.shown()[Math.floor((event.clientX - box.left) / this.wide)];
    showTip(bin ? {
      title: `${durationText(bin.from)} to ${durationText(2 * bin.from)}`,
      rows: [
        ["intervals", grouped.format(bin.count)], ["blocked", durationText(bin.blocked)],
        ["waiting for a CPU", durationText(bin.queue)]
      ]
    }
                : null,
      event.clientX, event.clientY);
  }
  resized() { this.draw(); }
}

class WaitSums {
  constructor() { Object.assign(this, {count: 0, length: 0, queue: 0, unknown: 0}); }
  add({length, queue, unknown}) { ++this.count, this.length += length, this.queue += queue, this.unknown += unknown; }
}

// The 25 longest waits, by their length or by their time in a run queue.
class Longest {
  constructor(by) { Object.assign(this, {by, waits: []}); }
  add(wait) {
    const {waits, by} = this;
    if (wait[by] <= (waits.length === 25 ? waits[24][by] : 0)) return;
    let at = waits.length;
    while (at > 0 && waits[at - 1][by] < wait[by]) --at;
    waits.splice(at, 0, {...wait});
    if (waits.length > 25) waits.pop();
  }
}

// Calls take(number, wait) for the intervals with a part in the range: {thread, start, wholeLength, wholeQueue,
// isWhole, length, queue, unknown}. The whole… values are those of the interval. length, queue and unknown are those of
// the part. The object is used again, because there may be millions of intervals.
function forEachWait({waits, waitingThreads, unit}, {from, until}, take) {
  const wait = {thread: null, start: 0, wholeLength: 0, wholeQueue: 0, isWhole: true, length: 0, queue: 0, unknown: 0};
  const first = from ?? -Infinity, last = from === null ? Infinity : until;
  for (let i = 0; i < waits.thread.length; ++i) {
    const start = waits.start[i] * unit - waits.before[i], wholeLength = waits.length[i],
          wholeQueue = waits.runQueue[i], end = start + wholeLength;
    if (start >= last || end < first || (end === first && start !== end)) continue;
    const ended = Math.min(end, last), length = ended - Math.max(start, first);
    Object.assign(wait, {
      thread: waitingThreads[waits.thread[i]],
      start,
      wholeLength,
      wholeQueue,
      isWhole: waits.whole[i] === 1,
      length,
      queue: Math.max(0, ended - Math.max(end - wholeQueue, first)),
      unknown: Math.min(length, waits.unknown[i])
    });
    take(i, wait);
  }
}
