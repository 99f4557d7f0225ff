// Filters, which only the page of a server has.

import {element} from "../../web/html.js";
import {fileName} from "../../web/numbers.js";
import {clipped} from "../../web/text.js";

import {quotedName} from "./expression.js";

// By recording, the rows that the filter of a selection keeps, as bits. null: all rows.
export async function keptRows(app, {filter, recording}) {
  return filter === "" ? null : app.bar.filter.rows(filter, recording);
}

export const ask = (what, parameters, signal) =>
  fetch(`${what}?${new URLSearchParams(parameters)}`, {cache: "no-store", signal});

// The field of the filter expression. While the user types, the text is checked, explained and completed. Enter
// filters.
export class FilterField {
  constructor(app) {
    Object.assign(this, {app, answers: new Map(), answersOfWaits: new Map(), fields: [], offers: [], at: -1});
    this.input = element("input", {
      type: "text",
      "aria-label": "Filter",
      role: "combobox",
      "aria-expanded": "false",
      "aria-controls": "filter-told",
      autocomplete: "off",
      spellcheck: "false",
      oninput: () => this.typed(),
      onfocus: () => this.typed(),
      onkeydown: (event) => this.key(event),
      onblur: () => setTimeout(() => this.hide(), 150)
    });
    this.told = element("div", {class: "told", id: "filter-told", hidden: true});
    this.place = element("label", {class: "filter"}, this.input, this.told);
    ask("fields", {}).then((answer) => answer.json()).then((fields) => {
      this.fields = fields;
    });
  }
  update() {
    const why = whyNotFiltered(this.app);
    this.input.disabled = why !== "";
    this.input.title = why;
    this.input.placeholder = why || "Filter: comm == \"worker\" && stack has \"malloc\"";
    if (document.activeElement === this.input && !why) return;
    this.input.value = this.app.state.filter;
    this.input.setAttribute("aria-invalid", "false");
  }
  refuse(error) {
    if (document.activeElement === this.input && error instanceof FilterError) this.show(null, error.message);
  }

  // --- while the user types ---

  async typed() {
    const text = this.input.value, turn = this.turn = (this.turn ?? 0) + 1;
    this.offer();
    if (text.trim() === "") return this.show(null, "");
    const {recording} = this.app.state;
    const answer = await ask("explain", {filter: text, ...(recording !== null && {recording})}).catch(() => null);
    const {parts, error} = answer ? await answer.json() : {};
    if (turn === this.turn && document.activeElement === this.input) this.show(parts, error);
  }
  // Offers the fields that begin with, or contain, the word before the cursor. After "field ==" or "stack has" it
  // offers values.
  offer() {
    // A complete quoted text is no part of a word.
    const before =
      this.input.value.slice(0, this.input.selectionStart ?? 0).replace(/"(\\.|[^"\\])*"|'(\\.|[^'\\])*'/g, ")");
    const compared = /(?:([\w.]+)\s*[!=]=|\bstack\s+has)\s*("(?:\\.|[^"\\])*|[\w.]*)$/.exec(before);
    const isInText = /["']/.test(before);
    this.word = compared ? compared[2] : isInText ? "" : /[\w.]*$/.exec(before)[0];
    const typed = this.word.replace(/^"/, "").replace(/\\(.)/g, "$1"),
          values = compared ? this.values(compared[1] ?? "sym") : null;
    const begins = ({name}) => name.startsWith(typed);
    this.offers = (isInText || typed === "") && !values?.length
      ? []
      : (values ?? this.fields)
          .filter(({name, text}) => (text ?? name) !== this.word && name.includes(typed))
          .sort((a, b) => begins(b) - begins(a))
          .slice(0, 8);
    this.at = -1;
  }
  // The values of a field that the page knows: its words, or the names in the recordings.
  values(name) {
    const {model} = this.app, words = this.fields.find((field) => field.name === name)?.words ?? [];
    if (words.length > 0) return words.map((word) => ({name: word}));
    const names =
      (all) => [...new Set(all)].filter((text) => text).sort().map((text) => ({name: text, text: quotedName(text)}));
    const threads = model.recordings.flatMap((recording) => [...recording.threads, ...recording.waitingThreads]);
    const numbers = (of) => [...new Map(threads.map((thread) => [of(thread), thread.comm]))]
                              .filter(([number]) => number >= 0)
                              .sort(([a], [b]) => a - b)
                              .map(([number, comm]) => ({name: String(number), help: comm}));
    const isFunction = (_, frame) =>
      !model.isThread(frame) && !model.inlined[frame] && !model.names[frame].startsWith("[");
    switch (name) {
      case "comm":
        return names(threads.map(({comm}) => comm));
      case "pid":
        return numbers(({pid}) => pid);
      case "tid":
        return numbers(({tid}) => tid);
      case "event":
        return names(model.events);
      case "sym":
      case "leaf":
      case "caller":
      case "root":
        return names(model.names.filter(isFunction));
      case "dso":
      case "leaf.dso":
      case "caller.dso":
      case "root.dso":
        return names(model.binaries);
      default:
        return [];
    }
  }
  show(parts, error) {
    this.input.setAttribute("aria-invalid", String(Boolean(error)));
    const offers =
      this.offers.map((field, i) => element("div", {
        role: "option",
        "aria-selected": String(i === this.at),
        onmousedown: (event) => {
          event.preventDefault();
          this.take(i);
        }
      },
                        element("b", {}, clipped(field.name, 120)),
                        element("span", {class: "quiet"},
                          [field.help, field.cost && `needs: ${field.cost}`].filter(Boolean).join(" · "))));
    const meaning = error ? [element("pre", {class: "error"}, error)] : (parts ?? []).map((part) => {
      const line = element("pre", {}, `${part.text}${part.type ? `   ${part.type}, needs: ${part.cost}` : ""}`);
      line.style.paddingLeft = `${part.depth * 16}px`;
      return line;
    });
    if (!error && parts) meaning.push(element("p", {class: "quiet"}, "Enter filters"));
    this.shown = {parts, error};
    this.told.replaceChildren(...offers, ...meaning);
    this.told.hidden = offers.length + meaning.length === 0;
    this.input.setAttribute("aria-expanded", String(!this.told.hidden));
  }
  hide() {
    this.told.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }
  take(i) {
    const cursor = this.input.selectionStart, begin = cursor - this.word.length;
    const end = this.word.startsWith("\"") && this.input.value[cursor] === "\"" ? cursor + 1 : cursor;
    this.input.setRangeText((this.offers[i].text ?? this.offers[i].name) + " ", begin, end, "end");
    this.typed();
  }
  key(event) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (this.offers.length === 0) return;
      event.preventDefault();
      this.at = (this.at + (event.key === "ArrowDown" ? 1 : -1) + this.offers.length) % this.offers.length;
      this.show(this.shown?.parts, this.shown?.error);
    } else if ((event.key === "Enter" && this.at >= 0) ||
      (event.key === "Tab" && this.offers.length > 0 && this.word !== "")) {
      event.preventDefault();
      this.take(Math.max(0, this.at));
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.hide();
      this.app.set({filter: this.input.value.trim()});
    } else if (event.key === "Escape") {
      event.stopPropagation();
      this.hide();
      this.input.blur();
      this.update();
    }
  }

  // --- the answer ---

  // A question that is no longer needed is cancelled. Answers are kept.
  async rows(filter, recording) {
    const question = {filter, ...(recording !== null && {recording})}, name = JSON.stringify(question);
    if (this.answers.has(name)) return this.answers.get(name);
    this.app.tell("filtering …");
    const abort = new AbortController();
    this.asking = this.asking?.filter(({wanted}) => this.isWanted(wanted) || (wanted.abort.abort(), false)) ?? [];
    this.asking.push({wanted: {filter, abort}});
    const answer = await ask("rows", question, abort.signal);
    if (!answer.ok) {
      const {error} = await answer.json();
      throw new FilterError(error, filter);
    }
    const rows = bitsByRecording(new Uint8Array(await answer.arrayBuffer()));
    this.answers.set(name, rows);
    if (this.answers.size > 20) this.answers.delete(this.answers.keys().next().value);
    return rows;
  }
  // By recording, the off-CPU intervals that the filter keeps, as bits. Otherwise the reason why the filter does not
  // apply to intervals.
  async waits(filter) {
    const known = this.answersOfWaits.get(filter);
    if (known) return known;
    const answer = await ask("waits", {filter});
    const waits = answer.ok ? {kept: bitsByRecording(new Uint8Array(await answer.arrayBuffer()))}
                            : {error: (await answer.json()).error};
    this.answersOfWaits.set(filter, waits);
    return waits;
  }
  isWanted({filter}) { return this.app.wanted.filter === filter || this.app.wanted.base?.filter === filter; }
}

// The reason why no filter can be used for the selected recordings. Empty: filters can be used.
function whyNotFiltered({model, state}) {
  const asked = state.recording === null ? model.recordings : [model.recordings[state.recording]];
  const other = asked.find((recording) => !recording.isReread);
  if (!other) return "";
  return `No filters: ${
    other.name === "-" ? "standard input is not read again"
                       : `${fileName(other.name)} is ${other.facts[0][1]}, no recording`}`;
}

export class FilterError extends Error {
  constructor(message, filter) {
    super(message);
    this.filter = filter;
  }
}

function bitsByRecording(bytes) {
  const view = new DataView(bytes.buffer), bits = [];
  for (let at = 0; at < bytes.length;) {
    const size = view.getUint32(at, true);
    bits.push(bytes.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  return bits;
}

export const whyRefused = (error) => (
  error instanceof FilterError ? error.message.split("\n")[0] : "The server does not answer: perfsift view has ended.");
