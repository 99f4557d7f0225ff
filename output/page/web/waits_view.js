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
  // The intervals of the selected threads that began in the range, as far as the filter keeps them.
  async update() {
    const {app} = this, {filter} = app.state;
    this.asked = filter === "" ? {kept: null} : await app.bar.filter.waits(filter).catch(() => ({error: "The server does not answer."}));
    if (filter === app.state.filter) this.show(this.asked.kept ?? null);
  }
  show(kept) {
    const {model, state} = this.app;
    this.bins = Array.from({length: 44}, () => ({count: 0, queue: 0, blocked: 0}));
    const all = [];
    model.recordings.forEach((recording, number) => {
      if (!recording.waits || (state.recording !== null && state.recording !== number)) return;
      const {waits, unit} = recording, wanted = state.thread === null ? null : recording.threads[state.thread].tid;
      for (let i = 0; i < waits.thread.length; ++i) {
        const start = waits.start[i] * unit, length = waits.length[i], queue = waits.runQueue[i];
        const thread = recording.waitingThreads[waits.thread[i]];
        if (kept && !isKept(kept[number], i)) continue;
        if ((wanted !== null && thread.tid !== wanted) || (state.from !== null && (start < state.from || start >= state.until))) continue;
        const bin = this.bins[Math.min(43, Math.floor(Math.log2(Math.max(1, length))))];
        ++bin.count, bin.queue += queue, bin.blocked += length - queue;
        all.push({thread, number, start, length, queue});
      }
    });
    this.showIgnored();
    const time = (of) => durationText(sumOf(all.map((one) => one[of])));
    this.told.textContent = all.length === 0 ? "No interval is selected." :
      `${grouped.format(all.length)} intervals: ${time("length")}, of which ${time("queue")} waiting for a CPU`;
    this.lists.replaceChildren(this.list("Longest waits for a CPU", all, "queue"), this.list("Longest intervals off the CPU", all, "length"));
    this.draw();
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
    const row = (one) => element("tr", {},
      element("td", {class: "number"}, durationText(one[by])), element("td", {class: "number quiet"}, `at ${secondsText(one.start, 1e6)} s`),
      element("td", {}, threadName(one.thread)),
      element("td", {}, element("button", {type: "button", title: "Select the time of this interval",
        onclick: () => this.app.set({from: Math.floor(one.start), until: Math.ceil(one.start + Math.max(1, one.length))})}, "select")));
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
