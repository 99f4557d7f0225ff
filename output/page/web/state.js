// The shown state. Every state is a link: the fragment of the URL.

import {palettes} from "./colours.js";
import {isLive} from "./columns.js";
import {comparisons, shapesOf} from "./flame_view.js";
import {sumOf} from "./trees.js";

export const everything = {
  recording: null,
  thread: null,
  cpu: null,
  from: null,
  until: null,
  filter: ""
};

export const start = {
  tab: "flame",
  ...everything,
  event: 0,
  unit: "value",
  search: "",
  zoom: [],
  shape: "calls",
  upwards: false,
  palette: "kind",
  func: null,
  callers: [],
  callees: [],
  sort: "self",
  only: false,
  base: null,
  compared: "both",
};

const codings = {
  number: [(text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null), String],
  text: [(text) => text, (text) => text],
  path: [
    (text) => text.split(".").filter((part) => part !== "").map(Number).filter(Number.isInteger),
    (path) => path.join(".")
  ],
  flag: [(text) => text === "1", (flag) => (flag ? "1" : "0")],
};
const codingOf = {
  tab: "text",
  recording: "number",
  thread: "number",
  cpu: "number",
  from: "number",
  until: "number",
  filter: "text",
  event: "number",
  unit: "text",
  search: "text",
  zoom: "path",
  shape: "text",
  upwards: "flag",
  palette: "text",
  func: "number",
  callers: "path",
  callees: "path",
  sort: "text",
  only: "flag",
  compared: "text",
};

export function toLink(state, initial = start) {
  const parameters = new URLSearchParams();
  for (const [name, coding] of Object.entries(codingOf)) {
    const value = state[name];
    if (value === undefined || value === null || String(value) === String(initial[name])) continue;
    parameters.set(name, codings[coding][1](value));
  }
  const base = linkOfBase(state);
  if (base !== linkOfBase(initial)) parameters.set("base", base);
  return parameters.toString();
}

const linkOfBase = ({base}) => (base ? toLink(base, everything) || "all" : "none");

export function fromLink(text, initial = start) {
  const state = {...initial};
  const parameters = new URLSearchParams(text);
  for (const [name, value] of parameters) {
    if (Object.hasOwn(codingOf, name) && name in initial)
      state[name] = codings[codingOf[name]][0](value) ?? initial[name];
  }
  const base = parameters.get("base");
  if (base !== null) state.base = base === "none" ? null : pick(fromLink(base, everything), Object.keys(everything));
  return state;
}

export const pick = (from, names) => Object.fromEntries(names.map((name) => [name, from[name]]));
export const selectionOf = (state) => pick(state, [...Object.keys(everything), "event", "base"]);
export const areEqual = (a, b) => JSON.stringify(a) === JSON.stringify(b);

// Removes a filter from the selection, or removes the compared selection if the filter belongs to it.
export const withoutFilter = (state, filter) =>
  (state.filter === filter ? {...state, filter: ""} : {...state, base: null});

// A link may be old or handmade, so everything that it names must exist in this page.
export function checked(state, model) {
  const good = {...state};
  const isIndex = (value, count) => Number.isInteger(value) && value >= 0 && value < count;
  const check = (selection) => {
    if (!isIndex(selection.recording, model.recordings.length)) selection.recording = null;
    const threads = selection.recording === null ? [] : model.recordings[selection.recording].threads;
    if (!isIndex(selection.thread, threads.length)) selection.thread = null;
    const isRange =
      selection.from !== null && selection.until !== null && selection.from < selection.until && model.hasTimes;
    if (!isRange) selection.from = selection.until = null;
    if (!isLive()) selection.filter = "";
    return selection;
  };
  check(good);
  if (good.base) good.base = check({...good.base});
  if (!isIndex(good.event, model.events.length)) good.event = firstEvent(model);
  if (!isIndex(good.func, model.frameCount)) good.func = null;
  if (!["value", "samples"].includes(good.unit)) good.unit = "value";
  if (!Object.hasOwn(shapesOf(model), good.shape)) good.shape = "calls";
  if (!Object.hasOwn(comparisons, good.compared)) good.compared = "both";
  if (!Object.hasOwn(palettes, good.palette)) good.palette = "kind";
  return good;
}

// The event with the most samples. Two recordings are compared from the start, so an event that both have comes first.
export function firstEvent(model) {
  const counts = model.recordings.map((recording) => samplesByEvent(model, recording));
  const all = model.events.map((_, event) => sumOf(counts.map((of) => of[event])));
  const common = all.map((count, event) => (counts.every((of) => of[event] > 0) ? count : 0));
  const wanted = counts.length === 2 && common.some((count) => count > 0) ? common : all;
  return Math.max(0, wanted.indexOf(Math.max(...wanted)));
}

export function samplesByEvent(model, {rows, rest}) {
  const counts = new Float64Array(model.events.length);
  for (const event of rows.event) ++counts[event];
  rest.event.forEach((event, i) => {
    counts[event] += rest.samples[i];
  });
  return counts;
}
