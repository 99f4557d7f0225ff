// The page: the state, the data computed from the state, and the views.
//
// `state` is what is shown. `wanted` is what was requested: a server answers later, and may refuse.

import {changeOf} from "../../web/change.js";
import {element} from "../../web/html.js";
import {counted, countText, durationText, rangeTexts, shareText} from "../../web/numbers.js";
import {clipped} from "../../web/text.js";

import {Amounts, amountsOf} from "./amounts.js";
import {changeColour, isDark, palettes} from "./colours.js";
import {isLive, loadData} from "./columns.js";
import {byId} from "./dom.js";
import {FlameView} from "./flame_view.js";
import {FunctionView} from "./function_view.js";
import {FunctionsView} from "./functions_view.js";
import {addGroups} from "./groups.js";
import {HeatView} from "./heat_view.js";
import {LanesView} from "./lanes_view.js";
import {FilterError, keptRows, whyRefused} from "./live.js";
import {Model, threadName} from "./model.js";
import {Overview} from "./overview.js";
import {Search} from "./search.js";
import {SelectionBar} from "./selection_bar.js";
import {
  areEqual,
  checked,
  everything,
  firstEvent,
  fromLink,
  pick,
  samplesByEvent,
  selectionOf,
  start,
  toLink,
  withoutFilter
} from "./state.js";
import {SummaryView} from "./summary_view.js";
import {applyTheme, chooseTheme, chosenTheme, themeChanged} from "./theme.js";
import {sumOf} from "./trees.js";
import {WaitsView} from "./waits_view.js";

class App {
  constructor(model) {
    this.model = model;
    addGroups(model);
    this.search = new Search(model);
    this.version = 0;  // the version of the amounts
    this.kept = null;  // the rows that the filter keeps
    this.firstEvent = firstEvent(model);
    this.state = this.linked();
    this.overview = new Overview(this);
    this.bar = new SelectionBar(this);
    this.views = {
      flame: new FlameView(this),
      functions: new FunctionsView(this),
      function: new FunctionView(this),
      lanes: new LanesView(this),
      heat: new HeatView(this),
      waits: new WaitsView(this),
      summary: new SummaryView(this)
    };
    if (!model.hasTimes) delete this.views.heat;
    if (!model.recordings.some((recording) => recording.waits)) delete this.views.waits;
    if (!model.recordings.some((recording) => recording.threads.length > 0)) delete this.views.lanes;
    this.wanted = this.state = this.valid(this.state);
    this.makeTabs();
    this.describePage();
    this.listen();
  }
  // Two recordings are compared from the start.
  initial() {
    const two = this.model.recordings.length === 2;
    return {...start, event: this.firstEvent, ...(two ? {recording: 1, base: {...everything, recording: 0}} : {})};
  }
  linked() { return checked(fromLink(location.hash.slice(1), this.initial()), this.model); }
  valid(state) {
    return {...checked(state, this.model), tab: Object.hasOwn(this.views, state.tab) ? state.tab : "flame"};
  }

  // --- amounts ---

  // Computes the amounts of the wanted state. Returns false if another state is wanted by now.
  async select() {
    const {model, wanted} = this, turn = this.turn = (this.turn ?? 0) + 1;
    // A compared selection may have millions of samples, so the side that did not change is not added up again.
    const sides = new Map();
    const amounts = async (side) => {
      const selection = {...pick(side, Object.keys(everything)), event: wanted.event}, name = JSON.stringify(selection);
      const known = this.sides?.get(name);
      const kept = known ? known.kept : await keptRows(this, selection);
      sides.set(name, known ?? {kept, amounts: amountsOf(model, selection, kept)});
      return sides.get(name);
    };
    let now, before;
    try {
      [now, before] = await Promise.all([amounts(wanted), wanted.base ? amounts(wanted.base) : null]);
    } catch (error) {
      if (turn === this.turn) throw error;
      return false;
    }
    if (turn !== this.turn) return false;
    this.sides = sides;
    this.kept = now.kept;
    this.amounts = now.amounts;
    this.base = before ? before.amounts : null;
    ++this.version;
    return true;
  }

  // Shows the wanted state. If the server refuses, the shown state stays. At the start, a link is then shown without
  // its filter.
  async ask(how = "replaceState") {
    const refusals = [];
    for (;;) {
      try {
        if (!(await this.select())) return;
        break;
      } catch (error) {
        if (!isLive() || (!this.amounts && !(error instanceof FilterError))) throw error;
        this.bar.filter.refuse(error);
        refusals.push(this.amounts
            ? whyRefused(error)
            : `${error.filter === this.wanted.filter ? "not filtered" : "not compared"}: ${whyRefused(error)}`);
        this.wanted = this.amounts ? this.state : withoutFilter(this.wanted, error.filter);
        if (this.amounts) break;
      }
    }
    this.accept(this.wanted, refusals.length > 0 ? "replaceState" : how);
    if (refusals.length > 0) this.tell(refusals.join(" · "));
  }
  accept(state, how) {
    this.state = state;
    const link = "#" + toLink(state, this.initial());
    if (link !== (location.hash || "#")) history[how](null, "", link);
    this.show();
  }

  // Changes the state. The browser's Back undoes a step, but not a change of a detail.
  set(changes, isStep = true) {
    const details = ["search", "upwards", "palette", "sort"];
    const isDetail = Object.keys(changes).every((name) => details.includes(name));
    // A zoom belongs to the callers and callees of one function.
    const whole = "func" in changes && changes.func !== this.wanted.func ? {callers: [], callees: []} : {};
    return this.want({...this.wanted, ...whole, ...changes}, isStep && !isDetail ? "pushState" : "replaceState");
  }
  async want(state, how) {
    const wanted = this.valid(state), isAsked = areEqual(selectionOf(wanted), selectionOf(this.wanted));
    this.wanted = wanted;
    if (!isAsked) await this.ask(how);
    else if (this.amounts) this.accept({...wanted, ...selectionOf(this.state)}, how);
  }
  setThread(place) {
    if (place === null) return this.set({thread: null});
    this.set({thread: place[1], recording: place[0]});
  }
  compare() { this.set({base: pick(this.state, Object.keys(everything))}); }
  exchange() { this.set({...this.state.base, base: pick(this.state, Object.keys(everything))}); }

  // --- how amounts are written ---

  isClock() { return /^(cpu|task)-clock/.test(this.model.events[this.state.event] ?? "") && this.model.page.periods; }
  amountText(amount, unit = this.state.unit) {
    return unit === "value" && this.isClock() ? durationText(amount) : countText(amount);
  }

  describe(selection) {
    const {model} = this, parts = [];
    const recording = model.recordings[selection.recording ?? 0];
    if (selection.recording !== null && model.recordings.length > 1) parts.push(`recording ${selection.recording + 1}`);
    if (selection.thread !== null && recording) parts.push(`thread ${threadName(recording.threads[selection.thread])}`);
    if (selection.cpu !== null) parts.push(`CPU ${selection.cpu}`);
    if (selection.from !== null) parts.push(`${rangeTexts(selection).join(" to ")} s`);
    if (selection.filter) parts.push(selection.filter);
    return parts.length > 0 ? parts.join(", ") : "everything";
  }
  describeAll() {
    const what = this.describe(this.state);
    return what === "everything" ? "all" : what;
  }
  // The change of amounts in both selections. The share is that of the shown unit.
  change({before, now}) {
    const inUnit = (amount) =>
      (this.state.unit === "samples" ? {samples: amount.samples, value: amount.samples} : amount);
    const change = changeOf(inUnit(before), inUnit(this.base.both(0)), inUnit(now), inUnit(this.amounts.both(0)));
    return this.emptySide() ? {...change, isSure: false} : change;
  }
  // The side of a comparison that has no samples: {selection, side}. null: no side, or both sides.
  emptySide() {
    const {state} = this,
          [isEmptyBefore, isEmptyNow] = [this.base, this.amounts].map((amounts) => amounts?.total(0, state.unit) === 0);
    if (!this.base || isEmptyBefore === isEmptyNow) return null;
    return isEmptyBefore ? {selection: state.base, side: "before"} : {selection: state, side: "now"};
  }
  whyEmpty({selection, side}) {
    const {model, state} = this, event = model.events[state.event];
    const recordings =
      model.recordings.filter((_, number) => selection.recording === null || selection.recording === number);
    const counts = recordings.map((recording) => samplesByEvent(model, recording));
    const others = model.events.filter((_, other) => counts.some((of) => of[other] > 0));
    const isOther = others.length > 0 && counts.every((of) => of[state.event] === 0);
    const why = isOther ? `has no samples of ${clipped(event, 100)}, but of ${clipped(others.join(", "), 200)}`
                        : "has no samples";
    return `Nothing is compared: the side ${side} (${this.describe(selection)}) ${why}`;
  }
  whyUnsure() { return this.emptySide() ? "not compared: one side is empty" : "not more than chance"; }
  // The data of a tree: see trees.js. side: "now" or "before" of two selections side by side. No side: both in one
  // graph.
  shown(side) {
    const {model, amounts: now, base: before} = this, {unit, compared} = this.state;
    const mixing = `${this.version} ${unit}`;
    const both = () => (this.mixed?.mixing === mixing ? this.mixed : this.mixed = {
      mixing,
      amounts: Amounts.ofBoth(model, now, before, unit)
    }).amounts;
    const of = side === "before" ? before : now;
    return {model, unit, now, before, of, widths: side || !before || compared === "now" ? of : both()};
  }
  // Gives the colour of a box, until the selection, the palette or the theme changes.
  painter(isBeside = false) {
    const root = isDark() ? "#2b2f35" : "#ece8e1", {model, state} = this;
    if (this.base && !isBeside) return ({item}) => (item.frame < 0 ? root : changeColour(this.change(item.change)));
    const painted = state.palette + isDark();
    if (this.painted !== painted) this.painted = painted, this.colours = new Array(model.frameCount);
    const colours = this.colours, [, paint] = palettes[state.palette];
    return ({item: {frame}}) => (frame < 0 ? root : colours[frame] ??= paint(model, frame));
  }
  tip(box) {
    const {model} = this, {frame, total, self, all} = box.item;
    const part = (amount, of) => `${this.amountText(amount)}  (${shareText(amount / of)})`;
    const rows = [["total", part(total, all)], ...(self === null ? [] : [["self", part(self, all)]])];
    if (box.parent)
      rows.push(["of its parent", shareText(box.parent.item.total > 0 ? total / box.parent.item.total : 0)]);
    if (this.base) rows.push(...this.tipOfChange(box.item.change));
    if (frame >= 0 && model.binaries[frame]) rows.push(["binary", clipped(model.binaries[frame], 300)]);
    if (frame >= 0 && model.inlined[frame]) rows.push(["", "inlined"]);
    return {title: frame < 0 ? this.describeAll() : model.names[frame], rows};
  }
  tipOfChange(amounts) {
    const {unit} = this.state, change = this.change(amounts),
          amount = (of) => this.amountText(unit === "samples" ? of.samples : of.value);
    return [
      ["before", `${amount(amounts.before)}  (${shareText(change.before)})`],
      ["now", `${amount(amounts.now)}  (${shareText(change.now)})`],
      [
        "change",
        `${change.delta > 0 ? "+" : ""}${(100 * change.delta).toFixed(2)} points${
          change.isSure ? "" : `, ${this.whyUnsure()}`}`
      ]
    ];
  }
  tellOf(box) {
    const {title, rows} = this.tip(box);
    return `${clipped(title, 160)}: ${rows.map(([label, text]) => `${label} ${text}`.trim()).join(", ")}`;
  }
  tell(text) { byId("status").textContent = text; }

  describePage() {
    const {model} = this, threads = model.recordings.reduce((sum, recording) => sum + recording.threads.length, 0);
    const cpus = new Set(model.recordings.flatMap((recording) => recording.cpus.filter((cpu) => cpu >= 0)));
    const parts = [
      model.length > 0 ? durationText(model.length) : null, threads > 0 ? counted(threads, "thread") : null,
      cpus.size > 0 ? counted(cpus.size, "CPU") : null,
      ...(model.recordings.length === 1 ? model.recordings[0].facts.slice(0, 2).map(([, text]) => text) : [])
    ];
    byId("about").textContent = clipped(parts.filter(Boolean).join("  ·  "), 300);
    const count = sumOf(model.recordings.map((recording) => recording.quality.length));
    if (count > 0) {
      byId("warning").replaceChildren(element("button", {type: "button", onclick: () => this.set({tab: "summary"})},
        count === 1 ? "1 thing to know about this data" : `${count} things to know about this data`));
    }
  }

  // --- views ---

  makeTabs() {
    const tabs = Object.entries(this.views)
                   .map(([name, view]) => element("button", {
                     type: "button",
                     role: "tab",
                     id: `tab-${name}`,
                     "aria-controls": `view-${name}`,
                     onclick: () => this.set({tab: name})
                   },
                          view.title));
    byId("tabs").replaceChildren(...tabs);
    byId("tabs").addEventListener("keydown", (event) => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (!step) return;
      const names = Object.keys(this.views),
            next = names[(names.indexOf(this.state.tab) + step + names.length) % names.length];
      this.set({tab: next});
      byId(`tab-${next}`).focus();
    });
    for (const [name, view] of Object.entries(this.views)) {
      view.place.id = `view-${name}`;
      view.place.setAttribute("role", "tabpanel");
      view.place.setAttribute("aria-labelledby", `tab-${name}`);
      view.place.hidden = true;
    }
    byId("views").replaceChildren(...Object.values(this.views).map((view) => view.place));
  }
  show() {
    const {state} = this;
    for (const [name, view] of Object.entries(this.views)) {
      view.place.hidden = name !== state.tab;
      byId(`tab-${name}`).setAttribute("aria-selected", String(name === state.tab));
      byId(`tab-${name}`).tabIndex = name === state.tab ? 0 : -1;
    }
    this.showSearch();
    this.bar.update();
    this.overview.update();
    this.views[state.tab].update();
    const all = this.amounts.total(0, state.unit), samples = this.amounts.total(0, "samples");
    const empty = this.emptySide();
    this.tell(empty     ? this.whyEmpty(empty)
        : samples === 0 ? `No samples: ${this.describe(state)}`
                        : counted(samples, "sample") +
          (state.unit === "value" && this.model.page.periods ? ` · ${this.amountText(all)}` : "") +
          ` · ${this.describe(state)}`);
    document.documentElement.dataset.ready = String(this.version);
  }
  showSearch() {
    const {state, search} = this;
    const field = byId("search");
    if (document.activeElement !== field) field.value = state.search;
    search.set(state.search);
    field.setAttribute("aria-invalid", String(search.error !== ""));
    byId("found").textContent = this.foundText();
  }
  foundText() {
    const {search} = this, {unit, tab, shape} = this.state;
    const groups =
      tab === "flame" && Object.hasOwn(this.model.groups, shape) ? shape : null;  // the shape of the boxes in view
    const share = (amounts) => shareText(search.total(amounts, unit, groups) / amounts.total(0, unit));
    if (search.error || !search.found) return search.error;
    return this.base ? `${share(this.base)} before, ${share(this.amounts)} now` : `${share(this.amounts)} found`;
  }

  listen() {
    window.addEventListener("popstate", () => this.want(this.linked(), "replaceState"));
    window.addEventListener("resize", () => {
      this.overview.update();
      this.views[this.state.tab].resized();
    });
    byId("search").addEventListener("input", (event) => this.set({search: event.target.value}));
    byId("search").addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      event.target.value = "";
      event.target.blur();
      this.set({search: ""});
    });
    byId("help").addEventListener("click", () => this.help());
    byId("theme").addEventListener("click", () => this.nextTheme());
    themeChanged(() => {
      this.overview.draw();
      this.views[this.state.tab].resized();
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }
  key(event) {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
    if (typing || event.ctrlKey || event.altKey || event.metaKey || byId("keys").open) return;
    const tabs = Object.keys(this.views);
    const act = {
      "/": () => byId("search").focus(),
      "?": () => this.help(),
      d: () => this.nextTheme(),
      i: () => this.set({upwards: !this.state.upwards}),
      r: () => this.set({shape: this.state.shape === "reversed" ? "calls" : "reversed", zoom: []}),
      c: () => (this.state.base ? this.set({base: null}) : this.compare()),
      Escape: () => this.escape(),
    }[event.key] ??
      (tabs[Number(event.key) - 1] ? () => this.set({tab: tabs[Number(event.key) - 1]}) : null);
    if (!act) return;
    event.preventDefault();
    act();
  }
  escape() {
    const zooms = this.state.tab === "function" ? ["callers", "callees"] : ["zoom"];
    const isZoomed = zooms.some((name) => this.state[name].length > 0);
    this.set(isZoomed ? Object.fromEntries(zooms.map((name) => [name, []])) : {...everything, search: ""});
  }
  nextTheme() {
    const next = {"": "dark", dark: "light", light: ""}[chosenTheme()];
    chooseTheme(next);
    this.tell(`Theme: ${next || "as the system says"}`);
  }
  help() {
    const keys = [
      ["/", "search; /…/ is a pattern"], ["1 – 9", "views"], ["Esc", "whole graph, then select everything"],
      ["i", "roots at the top or at the bottom"], ["r", "callers of leaves"],
      ["c", "compare with this selection, or no more"], ["d", "dark, light, or as the system says"],
      ["← → ↑ ↓", "in a graph: from box to box; over the time: move and resize the range"],
      ["Enter", "in a graph: zoom; in the table: open"],
      ["f", "in a graph: callers and callees of the box, as Shift and a click"],
      ["Backspace", "in a graph: zoom out by one"]
    ];
    const dialog = byId("keys");
    dialog.replaceChildren(element("h2", {}, "Keys"), element("table", {}, ...keys.map(([key,
      text]) => element("tr", {}, element("td", {}, element("kbd", {}, key)), element("td", {}, text)))),
      element("form", {method: "dialog"}, element("button", {onclick: () => dialog.close(), type: "button"}, "Close")));
    dialog.showModal();
  }
}

(async () => {
  applyTheme();
  try {
    const app = new App(new Model(await loadData()));
    await app.ask();
  } catch (error) {
    byId("views").replaceChildren(element("p", {class: "nothing"},
      `This page cannot show its data: ${error.message}. ` +
        "It needs a browser of 2023 or newer."));
    console.error(error);
  }
})();
