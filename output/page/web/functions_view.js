// The functions of the selection as a table.

import {element} from "../../web/html.js";
import {counted, fileName, shareText} from "../../web/numbers.js";
import {clipped} from "../../web/text.js";

import {RowList} from "./dom.js";
import {start} from "./state.js";

export class FunctionsView {
  constructor(app) {
    this.app = app;
    this.title = "Functions";
    this.head = element("div", {class: "head", role: "row"});
    this.scroll =
      element("div", {class: "scroll functions", role: "grid", tabindex: "0", "aria-label": "Functions"}, this.head);
    this.list = new RowList(this.scroll, 24, (i) => this.row(i));
    this.only = element("input", {type: "checkbox", onchange: () => this.app.set({only: this.only.checked})});
    this.count = element("span", {class: "quiet"});
    this.place = element("div", {class: "view"},
      element("div", {class: "bar"}, element("label", {}, this.only, "only what the search finds"), this.count),
      this.scroll);
    this.scroll.addEventListener("keydown", (event) => this.key(event));
    this.at = 0;
    this.made = "";
  }
  columns() {
    const part = (key, text) => [key, text, "number"];
    const names = [["name", "Function", ""], ["binary", "Binary", ""]];
    if (!this.app.base)
      return [part("self", "Self"), part("self", ""), part("total", "Total"), part("total", ""), ...names];
    const both =
      (key, text) => [part(`${key}Before`, `${text} before`), part(key, "now"), part(`${key}Delta`, "change")];
    return [...both("self", "Self"), ...both("total", "Total"), ...names];
  }
  compute() {
    const {app} = this, {state, model, amounts, base} = app;
    const wanted = [app.version, state.unit].join();
    if (this.made === wanted) return;
    this.made = wanted;
    this.now = amounts.functions(state.unit);
    this.before = base ? base.functions(state.unit) : null;
    const both = (of) => ({samples: of.functions("samples"), value: of.functions("value")});
    this.compared = base ? {before: both(base), now: both(amounts)} : null;
    this.all = amounts.total(0, state.unit);
    this.allBefore = base ? base.total(0, state.unit) : 0;
    this.known = [];
    for (let frame = 0; frame < model.frameCount; ++frame) {
      if (model.isThread(frame)) continue;
      if (this.now.total[frame] > 0 || (this.before && this.before.total[frame] > 0)) this.known.push(frame);
    }
  }
  valueOf(key, frame) {
    const share = (of, all) => (all > 0 ? of / all : 0);
    switch (key) {
      case "selfBefore":
        return share(this.before?.self[frame] ?? 0, this.allBefore);
      case "totalBefore":
        return share(this.before?.total[frame] ?? 0, this.allBefore);
      case "selfDelta":
        return Math.abs(share(this.now.self[frame], this.all) - this.valueOf("selfBefore", frame));
      case "totalDelta":
        return Math.abs(share(this.now.total[frame], this.all) - this.valueOf("totalBefore", frame));
      case "total":
        return this.now.total[frame];
      default:
        return this.now.self[frame];
    }
  }
  update() {
    this.compute();
    const {app} = this, {model, state} = app;
    const isKnown = this.columns().some(([key]) => key === state.sort) && !(app.base && state.sort === start.sort);
    const sort = isKnown ? state.sort : app.base ? "totalDelta" : "self";
    this.only.checked = state.only;
    const shown =
      state.only && app.search.found ? this.known.filter((frame) => app.search.matches(frame)) : [...this.known];
    const text = sort === "binary" ? model.binaries : model.names;
    if (sort === "name" || sort === "binary")
      shown.sort((a, b) => (text[a] < text[b] ? -1 : text[a] > text[b] ? 1 : a - b));
    else {
      const keys = new Float64Array(model.frameCount);
      for (const frame of shown) keys[frame] = this.valueOf(sort, frame);
      shown.sort((a, b) => keys[b] - keys[a] || this.now.total[b] - this.now.total[a] || a - b);
    }
    this.shown = shown;
    this.at = Math.min(this.at, Math.max(0, shown.length - 1));
    this.scroll.classList.toggle("compared", Boolean(app.base));
    this.head.replaceChildren(
      ...this.columns().map(([key, label, kind]) => element("span", {class: kind, role: "columnheader"},
                              element("button", {
                                type: "button",
                                "aria-sort": key === sort && label ? "descending" : null,
                                onclick: () => app.set({sort: key})
                              },
                                label + (key === sort && label ? (kind ? " ▾" : " ▴") : "")))));
    this.count.textContent = counted(shown.length, "function");
    this.list.show(shown.length);
  }
  row(i) {
    const {app} = this, {model} = app, frame = this.shown[i];
    const cells = app.base ? this.comparedCells(frame) : this.plainCells(frame);
    const row = element("div", {
      class: "row",
      role: "row",
      "aria-selected": String(i === this.at),
      "data-frame": frame,
      onclick: () => {
        this.at = i;
        app.set({func: frame, tab: "function"});
      }
    },
      ...cells,
      element("span", {class: "name", title: clipped(model.names[frame], 2000)}, clipped(model.names[frame], 300)),
      element("span", {class: "name quiet", title: model.binaries[frame]}, fileName(model.binaries[frame])));
    row.classList.toggle("dim", app.search.found !== null && !app.search.matches(frame));
    return row;
  }
  plainCells(frame) {
    const cell = (amount) => {
      const share = element("span", {class: "number share quiet"}, shareText(amount / this.all));
      share.style.setProperty("--share", String(this.all > 0 ? 100 * amount / this.all : 0));
      return [element("span", {class: "number"}, amount > 0 ? this.app.amountText(amount) : "–"), share];
    };
    return [...cell(this.now.self[frame]), ...cell(this.now.total[frame])];
  }
  comparedCells(frame) {
    const cells = (part) => {
      const amountOf = (of) => ({samples: of.samples[part][frame], value: of.value[part][frame]});
      const change = this.app.change({before: amountOf(this.compared.before), now: amountOf(this.compared.now)});
      const kind = !change.isSure ? "same" : change.delta > 0 ? "more" : "less";
      const sign = change.delta > 0 ? "+" : "";
      return [
        element("span", {class: "number quiet"}, shareText(change.before)),
        element("span", {class: "number"}, shareText(change.now)),
        element("span", {class: `number ${kind}`, title: change.isSure ? "" : this.app.whyUnsure()},
          sign + (100 * change.delta).toFixed(2))
      ];
    };
    return [...cells("self"), ...cells("total")];
  }
  key(event) {
    const step = {ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9}[event.key];
    if (event.key === "Enter" && this.shown[this.at] !== undefined)
      return this.app.set({func: this.shown[this.at], tab: "function"});
    if (!step) return;
    event.preventDefault();
    this.at = Math.max(0, Math.min(this.shown.length - 1, this.at + step));
    this.list.bringIntoView(this.at);
    this.list.draw();
  }
  resized() { this.list.draw(); }
}
