// One function: its callers, its callees, and its lines.

import {element} from "../../web/html.js";
import {fileName, shareText} from "../../web/numbers.js";
import {clipped} from "../../web/text.js";

import {Flame} from "./flame.js";
import {flameTold} from "./flame_view.js";
import {calleesTree, callersTree} from "./trees.js";

export class FunctionView {
  constructor(app) {
    this.app = app;
    this.title = "Callers & callees";
    const flame = (name, label) => new Flame(
      label, flameTold(app, {name: (frame) => app.model.names[frame] ?? "", zoom: (zoom) => app.set({[name]: zoom})}));
    this.callers = flame("callers", "Callers");
    this.callees = flame("callees", "Callees");
    this.name = element("h2", {class: "name"});
    this.facts = element("span", {class: "quiet"});
    this.pick = element("input", {
      class: "pick",
      list: "function-names",
      placeholder: "Name of a function",
      "aria-label": "Function",
      onchange: (event) => this.choose(event.target)
    });
    this.names = element("datalist", {id: "function-names"});
    this.lines = element("div", {class: "lines", tabindex: "0", "aria-label": "Source lines"});
    this.body = element("div", {class: "function"}, element("h3", {}, "Callers"), this.callers.place,
      element("h3", {}, "Callees"), this.callees.place, this.lines);
    this.place = element("div", {class: "view"},
      element("div", {class: "bar"}, this.name, this.facts, element("span", {class: "path"}), this.pick, this.names),
      this.body);
    this.pick.addEventListener("input", () => this.offer());
  }
  // Offers the hottest functions that contain the typed text.
  offer() {
    const {model} = this.app, text = this.pick.value.toLowerCase(),
          {self} = this.app.amounts.functions(this.app.state.unit);
    const found = [...model.names.keys()].filter(
      (frame) => !model.isThread(frame) && model.names[frame].toLowerCase().includes(text));
    found.sort((a, b) => self[b] - self[a]);
    this.names.replaceChildren(
      ...found.slice(0, 30).map((frame) => element("option", {value: clipped(model.names[frame], 300)})));
  }
  choose(field) {
    const frame =
      this.app.model.names.findIndex((name, i) => clipped(name, 300) === field.value && !this.app.model.isThread(i));
    if (frame < 0) return this.app.tell(`there is no function named ${clipped(field.value, 100)}`);
    field.value = "";
    this.app.set({func: frame});
  }
  update() {
    const {app} = this, {model, state, amounts} = app, frame = state.func ?? this.hottest();
    const wanted = [app.version, state.unit, state.compared, frame].join();
    if (this.made !== wanted) {
      this.made = wanted;
      this.trees = {callers: callersTree(app.shown(), frame), callees: calleesTree(app.shown(), frame)};
      this.showLines(frame);
    }
    this.name.textContent = frame === null ? "" : clipped(model.names[frame], 200);
    const {total, self} = frame === null ? {total: [0], self: [0]} : amounts.functions(state.unit);
    const all = amounts.total(0, state.unit);
    this.facts.textContent = frame === null
      ? ""
      : `${model.binaries[frame]}  ·  self ${app.amountText(self[frame])} (${shareText(self[frame] / all)})` +
        `  ·  total ${app.amountText(total[frame])} (${shareText(total[frame] / all)})`;
    this.callers.show(this.trees.callers, state.callers, {upwards: true});
    this.callees.show(this.trees.callees, state.callees, {upwards: false});
  }
  hottest() {
    const {self} = this.app.amounts.functions(this.app.state.unit);
    let best = null;
    self.forEach((amount, frame) => {
      if (amount > 0 && (best === null || amount > self[best])) best = frame;
    });
    return best;
  }
  showLines(frame) {
    const {app} = this, {model, amounts, state} = app, lines = new Map();
    let self = 0, known = 0;
    model.leaves.node.forEach((node, leaf) => {
      const amount = amounts.byLeaf[state.unit][leaf];
      if (amount <= 0 || model.frame[node] !== frame) return;
      self += amount;
      const line = model.leaves.line[leaf], file = model.files[model.leaves.file[leaf]];
      if (line === 0 && !file) return;
      known += amount;
      const place = `${file}:${line}`;
      const entry = lines.get(place) ?? {file, line, amount: 0};
      entry.amount += amount;
      lines.set(place, entry);
    });
    const sorted = [...lines.values()].sort((a, b) => b.amount - a.amount || a.line - b.line);
    const cell = (tag, text, kind, title) => element(tag, {class: kind, title}, text);
    const row = ({file, line, amount}) => element("tr", {}, cell("td", `${fileName(file)}:${line || "?"}`, "", file),
      cell("td", app.amountText(amount), "number"), cell("td", shareText(amount / self), "number quiet"));
    const why = self === 0 ? "No samples in this function itself: what it calls has them."
      : known === 0        ? "No source lines are known: they come from debug information, in the binary or beside it."
      : known < self       ? `${shareText((self - known) / self)} of its own samples have no known line.`
                           : "";
    this.lines.replaceChildren(element("h3", {}, "Source lines of its own samples"),
      ...(sorted.length > 0 ? [element("table", {}, ...sorted.slice(0, 500).map(row))] : []),
      element("p", {class: "quiet"}, why));
  }
  resized() { this.callers.resized(), this.callees.resized(); }
}
