// The flame graph of the selection. A comparison is one graph of both selections, or two graphs side by side.

import {element} from "../../web/html.js";
import {widthOfPath} from "../../web/layout.js";
import {counted, fileName} from "../../web/numbers.js";
import {clipped} from "../../web/text.js";

import {changeColour, groupOf, ofTheme, palettes, shadesOfBinary} from "./colours.js";
import {option} from "./dom.js";
import {Flame} from "./flame.js";
import {GroupedTree} from "./grouped_tree.js";
import {CallsTree, reversedTree, treeWithoutThreads} from "./trees.js";

// The ways to compare two selections: one graph with the colours of changes, or two graphs of the same scale.
export const comparisons = {
  both: "one graph, as wide as both",
  now: "one graph, as wide as now",
  amounts: "side by side, same scale",
  shares: "side by side, in shares",
};
export const isBeside = (app) =>
  app.base !== null && (app.state.compared === "amounts" || app.state.compared === "shares");

const hasColoursOfChanges = (app) => app.base !== null && !isBeside(app);

const shapes = {
  calls: ["threads, calls", (shown) => new CallsTree(shown)],
  joined: ["calls, threads together", treeWithoutThreads],
  processes: ["processes, threads, calls", (shown) => new GroupedTree(shown, "processes")],
  cpus: ["CPUs, threads, calls", (shown) => new GroupedTree(shown, "cpus")],
  cgroups: ["control groups, threads, calls", (shown) => new GroupedTree(shown, "cgroups")],
  reversed: ["callers of leaves", reversedTree],
};
// The shapes for which the recordings have the data.
export const shapesOf = (model) =>
  Object.fromEntries(Object.entries(shapes).filter(([shape]) => (model.groups[shape]?.known ?? 1) > 0));

export class FlameView {
  constructor(app) {
    this.app = app;
    this.title = "Flame graph";
    const choose = (label, name, options) => element("label", {}, label,
      element("select", {
        "data-set": name,
        onchange: (event) => app.set({[name]: event.target.value, ...(name === "shape" ? {zoom: []} : {})})
      },
        ...options.map(([value, text]) => option(value, text))));
    const usage = "a box is a function, its width is its share; arrow keys move, Enter zooms";
    this.flame = new Flame(`Flame graph: ${usage}`, this.told(() => this.before, () => app.describeAll()));
    this.before = new Flame(`Flame graph of what is compared with: ${usage}`,
      this.told(() => this.flame, () => app.describe(app.state.base)));
    this.captions = {before: element("h3", {class: "name"}), now: element("h3", {class: "name"})};
    this.beside = element("section", {class: "graph"}, this.captions.before, this.before.place);
    this.graphsPlace =
      element("div", {class: "graphs"}, element("section", {class: "graph"}, this.captions.now, this.flame.place));
    this.path = element("span", {class: "path name"});
    this.reset = element(
      "button", {type: "button", title: "The whole graph (Home)", onclick: () => app.set({zoom: []})}, "Reset zoom");
    this.direction = element("button", {
      type: "button",
      title: "Roots at the bottom, or at the top (i)",
      onclick: () => app.set({upwards: !app.state.upwards})
    },
      "Roots at bottom");
    this.keys = element("span", {class: "quiet"});
    this.compared = choose("Compared", "compared", Object.entries(comparisons));
    this.palette = choose("Colours", "palette", Object.entries(palettes).map(([value, [text]]) => [value, text]));
    this.bar = element("div", {class: "bar"},
      choose("Shape", "shape", Object.entries(shapesOf(app.model)).map(([value, [text]]) => [value, text])),
      this.palette, this.compared, this.direction, this.reset, this.path, this.keys);
    this.place = element("div", {class: "view"}, this.bar, this.graphsPlace);
    this.made = "";
  }
  // The functions of one graph: see flameTold(). Both graphs have one zoom, and the box under the pointer is marked in
  // the other graph.
  told(other, whole) {
    const {app} = this, name = (frame) => (frame < 0 ? whole() : app.model.names[frame]);
    return flameTold(app, {
      name,
      painter: () => app.painter(isBeside(app)),
      tip: (box) => ({...app.tip(box), title: name(box.item.frame)}),
      zoom: (zoom) => app.set({zoom}),
      pointed: (path) => isBeside(app) && other().mark(path),
      scrolled: (distance) => isBeside(app) && other().setDistance(distance),
    });
  }
  // A tree is made again only if its contents have changed.
  make() {
    const {app} = this, {state} = app;
    const wanted = [app.version, state.shape, state.unit, state.compared].join();
    if (this.made === wanted) return;
    this.made = wanted;
    const [, make] = shapes[state.shape];
    this.trees =
      isBeside(app) ? {now: make(app.shown("now")), before: make(app.shown("before"))} : {now: make(app.shown())};
  }
  update() {
    const {app} = this, {state, model} = app;
    for (const select of this.bar.querySelectorAll("select")) select.value = state[select.dataset.set];
    this.compared.hidden = !app.base;
    this.palette.hidden = hasColoursOfChanges(app);
    this.direction.setAttribute("aria-pressed", String(state.upwards));
    this.reset.disabled = state.zoom.length === 0;
    this.path.textContent = state.zoom.map((frame) => clipped(model.names[frame] ?? "", 60)).join(" › ");
    this.keys.replaceChildren(...colourKey(app).map(colourPatch));
    this.make();
    const shares = this.shares();
    this.showBeside(shares);
    this.flame.show(this.trees.now, state.zoom, {upwards: state.upwards, share: shares.now});
    if (this.trees.before)
      this.before.show(this.trees.before, state.zoom, {upwards: state.upwards, share: shares.before});
  }
  // The data for a drawing of the graphs, which is also needed if another view is shown.
  graphs() {
    this.make();
    const {now, before} = this.trees, shares = this.shares();
    return [
      ...(before ? [{tree: before, share: shares.before, told: this.before.told}] : []),
      {tree: now, share: shares.now, told: this.flame.told}
    ];
  }
  // The two graphs have the same number of pixels for an amount, or for a share. The larger graph takes the full width.
  shares() {
    if (!this.trees.before) return {now: 1};
    const {zoom, compared} = this.app.state;
    const widthIn = (tree) => {
      const all = compared === "shares" ? tree.root().width : 1;
      return all > 0 ? widthOfPath(tree, zoom) / all : 0;
    };
    const now = widthIn(this.trees.now), before = widthIn(this.trees.before), larger = Math.max(now, before);
    return larger > 0 ? {now: now / larger, before: before / larger} : {now: 1, before: 1};
  }
  showBeside(shares) {
    const both = isBeside(this.app);
    this.captions.now.hidden = !both;
    if (both && !this.beside.isConnected) this.graphsPlace.prepend(this.beside);
    if (!both) return this.beside.remove();
    const caption = (name, side, share) =>
      `${name}: ${this.caption(side)}${share === 0 ? " · has nothing of what is zoomed to" : ""}`;
    this.captions.before.textContent = caption("Before", "before", shares.before);
    this.captions.now.textContent = caption("Now", "now", shares.now);
  }
  caption(side) {
    const {app} = this, {state} = app,
          [amounts, selection] = side === "before" ? [app.base, state.base] : [app.amounts, state];
    const value = amounts.total(0, state.unit), samples = amounts.total(0, "samples");
    const parts = [app.describe(selection), value === samples ? "" : app.amountText(value), counted(samples, "sample")];
    return clipped(parts.filter(Boolean).join(", "), 200);
  }
  resized() {
    this.flame.resized();
    if (isBeside(this.app)) this.before.resized();
  }
}

// The functions by which a flame graph asks the page for names, colours and tips.
export function flameTold(app, more) {
  return {
    name: (frame) => (frame < 0 ? app.describeAll() : app.model.names[frame]),
    painter: () => app.painter(),
    matches: (frame) => app.search.matches(frame),
    tip: (box) => app.tip(box),
    open: (func) => (func < app.model.frameCount ? app.set({func, tab: "function"})
                                                 : app.tell(`${app.model.names[func]} is no function`)),
    selected: (box) => app.tell(app.tellOf(box)),
    ...more,
  };
}

function colourPatch([colour, text]) {
  const patch = element("i");
  patch.style.background = colour;
  return element("span", {class: "key"}, patch, text + " ");
}

// The meaning of each colour: [colour, text].
export function colourKey(app) {
  if (hasColoursOfChanges(app)) {
    const colour = (a, b) => changeColour({before: a, now: b, oneSample: 0, isSure: true});
    return [[colour(1, 2), "more"], [colour(2, 1), "less"], [changeColour({isSure: false}), "not more than chance"]];
  }
  if (app.state.palette === "binary") return keyOfBinaries(app);
  const {model} = app, frameOf = new Map();
  for (let frame = 0; frame < model.frameCount; ++frame) frameOf.set(groupOf(model, frame), frame);
  const kinds = ["user", "inlined", "kernel", "jit"].filter((kind) => frameOf.has(kind));
  return kinds.length < 2 ? [] : kinds.map((kind) => [palettes[app.state.palette][1](model, frameOf.get(kind)), kind]);
}

// The binaries with the largest area in the graph. Equals Palette::legend_of_binaries() in output/flame/palette.cpp.
function keyOfBinaries(app) {
  const {model} = app, {total} = app.amounts.functions(app.state.unit), amounts = new Map();
  model.binaries.forEach((path, frame) => {
    if (path) amounts.set(fileName(path), (amounts.get(fileName(path)) ?? 0) + total[frame]);
  });
  const largest = [...amounts].filter(([, amount]) => amount > 0).sort(([, a], [, b]) => b - a).slice(0, 8),
        names = new Map();
  for (const [name] of largest) names.set(shadesOfBinary(name), [...(names.get(shadesOfBinary(name)) ?? []), name]);
  return [...names].map(([shades, binaries]) => [ofTheme(shades[1]), clipped(binaries.join(", "), 80)]);
}
