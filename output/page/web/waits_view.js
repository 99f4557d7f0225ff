// How long threads were off their CPU, and the longest waits: from switches between threads.

class WaitsView {
  constructor(app) {
    this.app = app;
    this.title = "Off-CPU";
    this.canvas = element("canvas", {role: "img", "aria-label": "Off-CPU time by the length of the intervals"});
    this.told = element("p", {class: "quiet"});
    this.bins = [];
    this.ignored = element("p", {class: "notice"});
    this.key = element("p");
    this.lists = element("div");
    this.place = element("div", {class: "view"}, element("div", {class: "waits"},
      element("section", {}, element("h2", {}, "Off-CPU time by the length of intervals"), this.told, this.ignored, this.canvas, this.key), this.lists));
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("pointerleave", () => showTip(null));
  }
  // The parts in the range of the intervals of the selected threads, as far as the filter keeps them.
  async update() {
    const {app} = this, {filter} = app.state;
    this.asked = filter === "" ? {kept: null} : await app.bar.filter.waits(filter).catch(() => ({error: "The server does not answer."}));
    if (filter === app.state.filter) this.show(this.asked.kept ?? null);
  }
  show(kept) {
    const {model, state} = this.app;
    this.bins = Array.from({length: 44}, () => ({count: 0, queue: 0, blocked: 0}));
    const all = [];
    let unknown = 0;  // beside the intervals
    model.recordings.forEach((recording, number) => {
      if (!recording.waits || (state.recording !== null && state.recording !== number)) return;
      const wanted = state.thread === null ? null : recording.threads[state.thread].tid;
      const isWanted = ({tid}) => wanted === null || tid === wanted;
      unknown += sumOf(recording.waitingThreads.filter(isWanted).map((thread) => thread.unknown));
      forEachWait(recording, state, (i, wait) => {
        if (!isWanted(wait.thread) || (kept && !isKept(kept[number], i))) return;
        unknown -= recording.waits.unknown[i];
        all.push(wait);
        if (!wait.isWhole) return;
        const bin = this.bins[Math.min(43, Math.floor(Math.log2(Math.max(1, wait.whole))))];
        ++bin.count, bin.queue += wait.queue, bin.blocked += wait.length - wait.queue;
      });
    });
    this.showIgnored();
    this.told.textContent = all.length === 0 ? "No interval is selected." : this.totals(all, unknown);
    this.lists.replaceChildren(this.list("Longest waits for a CPU", all, "queue"), this.list("Longest intervals off the CPU", all, "length"));
    this.draw();
  }
  totals(all, unknown) {
    const {state} = this.app, time = (of, which) => durationText(sumOf(of.map((one) => one[which])));
    const cut = all.filter((one) => !one.isWhole), lost = sumOf(all.map((one) => one.unknown));
    const where = state.from === null ? "" : " in the range of time";
    return [`${counted(all.length, "interval")}: ${time(all, "length")}${where}, of which ${time(all, "queue")} waiting for a CPU` +
              (lost > 0 ? `, ${durationText(lost)} unknown (records were lost)` : ""),
            cut.length === 0 ? "" : `Not in the picture (incomplete: an end was not seen, or records were lost): ${counted(cut.length, "interval")}, ${time(cut, "length")}`,
            unknown > 0 && state.from === null && state.filter === "" ? `Beside them ${durationText(unknown)} of unknown time, on or off a CPU` : ""]
      .filter(Boolean).join("\n");
  }
  // What of the selection does not choose intervals.
  showIgnored() {
    const {state} = this.app, parts = [];
    if (this.asked.error) parts.push(`The filter is one of samples, not of intervals, so all intervals are shown: ${this.asked.error.split("\n")[0]}`);
    if (state.cpu !== null) parts.push("Intervals are of all CPUs.");
    this.ignored.hidden = parts.length === 0;
    this.ignored.textContent = parts.join("\n");
  }
  list(title, all, by) {
    const longest = all.filter((one) => one[by] > 0).sort((a, b) => b[by] - a[by] || a.start - b.start).slice(0, 25);
    const length = (one) => (one.isWhole ? "" : "at least ") + durationText(one[by]) + (one.length < one.whole ? ` of ${durationText(one.whole)}` : "");
    const row = (one) => element("tr", {},
      element("td", {class: "number"}, length(one)), element("td", {class: "number quiet"}, `at ${secondsText(one.start, 1e6)} s`),
      element("td", {}, threadName(one.thread)),
      element("td", {}, element("button", {type: "button", title: "Select the time of this interval",
        onclick: () => this.app.set({from: Math.max(0, Math.floor(one.start)), until: Math.ceil(one.start + Math.max(1, one.whole))})}, "select")));
    return element("section", {}, element("h2", {}, title), longest.length === 0 ? element("p", {class: "quiet"}, "none")
      : element("table", {class: "facts"}, ...longest.map(row)));
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
    const most = Math.max(1, ...bins.map((bin) => bin.queue + bin.blocked)), wide = Math.min(64, width / Math.max(1, bins.length)), bottom = height - 20;
    context.font = '11px system-ui, "Segoe UI", sans-serif';
    bins.forEach((bin, i) => {
      const blocked = bin.blocked / most * (bottom - 8), queue = bin.queue / most * (bottom - 8);
      context.fillStyle = colour("--area-line");
      context.fillRect(i * wide + 1, bottom - blocked, wide - 3, blocked);
      context.fillStyle = colour("--throttled");
      context.fillRect(i * wide + 1, bottom - blocked - queue, wide - 3, queue);
      context.fillStyle = colour("--quiet");
      if (wide > 44 || i % 2 === 0) context.fillText(durationText(bin.from).replace(/\.\d+/, ""), i * wide + 1, height - 6);
    });
    context.fillStyle = colour("--line");
    context.fillRect(0, bottom, width, 1);
    this.wide = wide;
  }
  point(event) {
    const box = this.canvas.getBoundingClientRect(), bin = this.shown()[Math.floor((event.clientX - box.left) / this.wide)];
    showTip(bin ? {title: `${durationText(bin.from)} to ${durationText(2 * bin.from)}`,
                   rows: [["intervals", grouped.format(bin.count)], ["blocked", durationText(bin.blocked)], ["waiting for a CPU", durationText(bin.queue)]]} : null,
            event.clientX, event.clientY);
  }
  resized() { this.draw(); }
}

// Calls take(number, wait) for the intervals with a part in the range, {thread, start, whole, isWhole, length, queue, unknown}:
// whole is the length of the interval; length, queue and unknown are those of the part.
function forEachWait({waits, waitingThreads, unit}, {from, until}, take) {
  for (let i = 0; i < waits.thread.length; ++i) {
    const start = waits.start[i] * unit - waits.before[i], whole = waits.length[i], end = start + whole;
    const inRange = (begin) => (from === null ? end - begin : Math.min(end, until) - Math.max(begin, from));
    const length = inRange(start);
    if (length < 0 || (from !== null && (start >= until || end <= from))) continue;
    take(i, {thread: waitingThreads[waits.thread[i]], start, whole, isWhole: waits.whole[i] === 1, length,
             queue: Math.max(0, inRange(end - waits.runQueue[i])), unknown: Math.min(length, waits.unknown[i])});
  }
}
