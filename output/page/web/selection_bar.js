// The selection as words that the user can change: range, recording, thread, CPU, event, unit, and the compared
// selection.

import {element} from "../../web/html.js";
import {fileName, grouped, rangeTexts} from "../../web/numbers.js";
import {clipped} from "../../web/text.js";

import {isLive} from "./columns.js";
import {byId, option} from "./dom.js";
import {FilterField} from "./live.js";
import {threadName} from "./model.js";
import {fillSaveMenu, saveMenu} from "./save.js";
import {everything} from "./state.js";

export class SelectionBar {
  constructor(app) {
    this.app = app;
    this.form = byId("selection");
    this.form.addEventListener("submit", (event) => event.preventDefault());
    const {model} = app;
    const choose = (name, act) => element("select", {"aria-label": name, onchange: (event) => act(event.target.value)});
    const number = (text) => (text === "" ? null : Number(text));
    this.event = choose("Event", (value) => app.set({event: Number(value)}));
    this.unit = choose("Unit", (unit) => app.set({unit}));
    this.recording = choose("Recording", (value) => app.set({recording: number(value), thread: null, cpu: null}));
    this.thread = choose("Thread", (value) => app.setThread(value === "" ? null : value.split(".").map(Number)));
    this.cpu = choose("CPU", (value) => app.set({cpu: number(value)}));
    this.from = this.timeField("from");
    this.until = this.timeField("until");
    this.reset = element("button",
      {type: "button", title: "Select everything (Esc)", onclick: () => app.set({...everything})}, "Everything");
    this.compare = element("button", {
      type: "button",
      title: "Keep this selection, and compare the next ones with it (c)",
      onclick: () => app.compare()
    },
      "Compare…");
    this.base = element("span", {class: "base", hidden: true});
    this.filter = isLive() ? new FilterField(app) : null;
    const labelled = (text, ...fields) => element("label", {}, text, ...fields);
    this.form.append(labelled("Event", this.event, this.unit),
      ...(model.recordings.length > 1 ? [labelled("Recording", this.recording)] : []), labelled("Thread", this.thread),
      labelled("CPU", this.cpu),
      ...(model.hasTimes ? [labelled("From", this.from), labelled("to", this.until, "s")] : []),
      ...(this.filter ? [this.filter.place] : [element("span", {class: "gap"})]), this.reset, this.compare, this.base,
      this.save = saveMenu(app));
    this.fill();
  }
  timeField(name) {
    return element("input", {
      class: "time",
      inputmode: "decimal",
      "aria-label": name === "from" ? "From, seconds" : "To, seconds",
      placeholder: name === "from" ? "start" : "end",
      onchange: () => this.setTimes()
    });
  }
  setTimes() {
    const {app} = this, read = (field, otherwise) => {
      const text = field.value.trim().replace(",", ".");
      const good = text === "" || /^\d+(\.\d+)?$/.test(text);
      field.setAttribute("aria-invalid", String(!good));
      return text === "" ? otherwise : good ? Math.round(Number(text) * 1e9) : NaN;
    };
    const from = read(this.from, 0), until = read(this.until, app.model.length + 1);
    if (Number.isNaN(from) || Number.isNaN(until)) return app.tell("a time is a number of seconds, such as 1.25");
    if (from >= until) return app.tell("the range ends before it begins");
    app.set(from === 0 && until === app.model.length + 1 ? {from: null, until: null} : {from, until});
  }
  fill() {
    const {model} = this.app;
    this.event.replaceChildren(...model.events.map((name, i) => option(i, name)));
    const clock = this.app.isClock() ? "time" : "periods";
    this.unit.replaceChildren(option("value", clock), option("samples", "samples"));
    this.unit.hidden = !model.page.periods;
    this.recording.replaceChildren(
      option("", "all"), ...model.recordings.map((recording, i) => option(i, `${i + 1}: ${fileName(recording.name)}`)));
    const cpus = new Set(model.recordings.flatMap((recording) => recording.cpus));
    this.cpu.replaceChildren(
      option("", "all"), ...[...cpus].sort((a, b) => a - b).map((cpu) => option(cpu, cpu < 0 ? "not recorded" : cpu)));
    const threads =
      model.recordings.flatMap((recording, number) => recording.threads.map((thread, i) => ({number, i, thread})));
    threads.sort((a, b) => (b.thread.end - b.thread.begin) - (a.thread.end - a.thread.begin));
    const many = model.recordings.length > 1;
    this.thread.replaceChildren(option("", `all ${grouped.format(threads.length)}`),
      ...threads.map(
        ({number, i, thread}) => option(`${number}.${i}`, (many ? `${number + 1}: ` : "") + threadName(thread))));
    for (const [select, known] of [[this.thread, threads.length], [this.cpu, cpus.size]]) {
      select.disabled = known === 0;
      select.title = known === 0 ? "Not recorded" : "";
    }
  }
  update() {
    const {state, model} = this.app;
    const clock = this.app.isClock() ? "time" : "periods";
    this.unit.options[0].textContent = clock;
    this.event.value = state.event;
    this.unit.value = state.unit;
    this.recording.value = state.recording ?? "";
    this.thread.value = state.thread === null ? "" : `${state.recording ?? 0}.${state.thread}`;
    this.cpu.value = state.cpu ?? "";
    [this.from.value, this.until.value] =
      state.from === null ? ["", ""] : rangeTexts(state, Math.max(1, model.length / 1e5));
    for (const field of [this.from, this.until]) field.setAttribute("aria-invalid", "false");
    this.reset.disabled = Object.keys(everything).every((name) => state[name] === everything[name]);
    this.compare.hidden = state.base !== null;
    this.base.hidden = state.base === null;
    if (state.base) {
      this.base.replaceChildren(element("span", {}, "compared with ",
                                  element("b", {class: "name"}, clipped(this.app.describe(state.base), 90))),
        element(
          "button", {type: "button", title: "Exchange the two selections", onclick: () => this.app.exchange()}, "⇄"),
        element("button",
          {type: "button", title: "Do not compare any more (c)", onclick: () => this.app.set({base: null})}, "×"));
    }
    fillSaveMenu(this.app, this.save);
    this.filter?.update();
  }
}
