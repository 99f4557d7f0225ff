// The flame graph of the selection.

class FlameView {
  constructor(app) {
    this.app = app;
    this.title = "Flame graph";
    const choose = (label, name, options) => element("label", {}, label, element("select", {
      "data-set": name, onchange: (event) => app.set({[name]: event.target.value, ...(name === "shape" ? {zoom: []} : {})})},
      ...options.map(([value, text]) => option(value, text))));
    this.flame = new Flame("Flame graph: a box is a function, its width is its share; arrow keys move, Enter zooms", flameTold(app, {
      zoom: (zoom) => app.set({zoom}, true)}));
    this.path = element("span", {class: "path name"});
    this.reset = element("button", {type: "button", title: "The whole graph (Home)", onclick: () => app.set({zoom: []}, true)}, "Reset zoom");
    this.direction = element("button", {type: "button", title: "Roots at the bottom, or at the top (i)",
                                        onclick: () => app.set({upwards: !app.state.upwards})}, "Roots at bottom");
    this.keys = element("span", {class: "quiet"});
    this.bar = element("div", {class: "bar"},
      choose("Shape", "shape", [["calls", "threads, calls"], ["joined", "calls, threads together"], ["reversed", "callers of leaves"]]),
      choose("Colours", "palette", Object.entries(palettes).map(([value, [text]]) => [value, text])),
      this.direction, this.reset, this.path, this.keys);
    this.place = element("div", {class: "view"}, this.bar, this.flame.place);
    this.made = "";
  }
  tree() {
    const {app} = this, {state, model, amounts, base} = app;
    // A tree is made anew only when what it shows has changed.
    const wanted = [app.version, state.shape, state.unit].join();
    if (this.made !== wanted) {
      const make = {calls: (...of) => new CallsTree(...of), reversed: reversedTree, joined: treeWithoutThreads}[state.shape];
      this.shown = make(model, amounts, base, state.unit);
      this.made = wanted;
    }
    return this.shown;
  }
  update() {
    const {state, model} = this.app;
    for (const select of this.bar.querySelectorAll("select")) select.value = state[select.dataset.set];
    this.direction.setAttribute("aria-pressed", String(state.upwards));
    this.reset.disabled = state.zoom.length === 0;
    this.path.textContent = state.zoom.map((frame) => clipped(model.names[frame] ?? "", 60)).join(" › ");
    this.keys.replaceChildren(...colourKey(this.app));
    this.flame.show(this.tree(), state.zoom, {upwards: state.upwards});
  }
  resized() { this.flame.resized(); }
}

// What a flame graph asks of the page.
function flameTold(app, more) {
  return {
    name: (frame) => (frame < 0 ? app.describeAll() : app.model.names[frame]),
    painter: () => app.painter(),
    matches: (frame) => app.search.matches(frame),
    tip: (box) => app.tip(box),
    open: (func) => app.set({func, tab: "function"}, true),
    selected: (box) => app.tell(app.tellOf(box)),
    ...more,
  };
}

function colourKey(app) {
  const one = (colour, text) => {
    const patch = element("i");
    patch.style.background = colour;
    return element("span", {class: "key"}, patch, text + " ");
  };
  if (app.base) {
    const colour = (a, b) => changeColour({before: a, now: b, delta: b - a, isSure: true});
    return [one(colour(1, 2), "more"), one(colour(2, 1), "less"), one(changeColour({isSure: false}), "not more than chance")];
  }
  if (app.state.palette === "binary") return [];
  const {model} = app, frameOf = (kind) => model.kinds.indexOf(kind);
  const kinds = ["user", "kernel", "jit"].filter((kind) => frameOf(kind) >= 0);
  return kinds.length < 2 ? [] : kinds
    .map((kind) => one(palettes[app.state.palette][1](model, frameOf(kind)), kind));
}
