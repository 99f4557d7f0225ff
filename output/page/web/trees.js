// Trees that a flame graph can show.
//
// What a tree shows is {model, unit, widths, of, now, before}. Boxes are as wide as their Amounts in `widths`, and tell
// those in `of`; `now` and `before` are compared, and before is null where nothing is compared.
//
// An item is a box of the picture: {frame, width, total, self, all, change, at, ref}; frame -1: the root; total, self and
// all: of the box and of the whole selection; change: {before, now}; at: where it begins inside its parent, in the unit of
// width. children(item, least) leaves out children narrower than `least`, but not their room. child(item, frame): null if
// there is none.

// The calls as they were recorded.
class CallsTree {
  constructor(shown) { Object.assign(this, shown); }

  item(node, at) {
    const {unit, of} = this;
    return {frame: this.model.frame[node], at, ref: node, width: this.widths.total(node, unit),
            total: of.total(node, unit), self: of.self(node, unit), all: of.total(0, unit),
            change: this.before ? {before: this.before.both(node), now: this.now.both(node)} : null};
  }
  root() { return this.item(0, 0); }
  child(item, frame) {
    const {model} = this, end = model.end[item.ref];
    for (let node = item.ref + 1; node < end; node = model.end[node]) {
      if (model.frame[node] === frame && this.widths.total(node, this.unit) > 0) return this.item(node, 0);
    }
    return null;
  }
  children(item, least) {
    const {model} = this, sum = this.widths[this.unit], shown = [];
    const end = model.end[item.ref];
    for (let node = item.ref + 1, at = 0; node < end; node = model.end[node]) {
      const width = sum[model.end[node]] - sum[node];
      if (width >= least && width > 0) shown.push(this.item(node, at));
      at += width;
    }
    return shown;
  }
}

// Nodes of one function are one box, wherever they are: below the starts, or above them.
class MergedTree {
  // starts: nodes; up: the children of a box are its callers. `weigh(amounts, node, unit)`: what a start adds.
  constructor(shown, starts, {up, weigh, frame = -1}) {
    Object.assign(this, shown, {up, weigh});
    this.top = {frame, nodes: starts, origins: starts, weights: starts.map((node) => weigh(this.widths, node, this.unit))};
  }
  root() { return this.finished(this.top, 0); }
  child(item, frame) { return this.children(item, 0).find((child) => child.frame === frame) ?? null; }

  // A group: nodes, the width that each adds, and the starts from which the steps up have led to them.
  finished(group, at) {
    const {unit, of} = this, width = sumOf(group.weights);
    return {frame: group.frame, at, ref: group, width, total: of === this.widths ? width : this.totalOf(group, of, unit),
            self: this.selfOf(group), all: of.total(0, unit),
            change: this.before ? {before: this.bothOf(group, this.before), now: this.bothOf(group, this.now)} : null};
  }
  totalOf(group, amounts, unit) {
    const isWeighed = this.up || group === this.top;
    return sumOf(isWeighed ? group.origins.map((node) => this.weigh(amounts, node, unit))
                           : group.nodes.map((node) => amounts.total(node, unit)));
  }
  bothOf(group, amounts) {
    return {samples: this.totalOf(group, amounts, "samples"), value: this.totalOf(group, amounts, "value")};
  }
  selfOf({nodes, origins}) {
    const {of, unit} = this;
    let self = 0;
    for (let i = 0; i < nodes.length; ++i) {
      if (!this.up) self += of.self(nodes[i], unit);
      else if (this.model.parent[nodes[i]] === 0) self += this.weigh(of, origins[i], unit);
    }
    return self;
  }
  children(item, least) {
    const groups = new Map();
    const add = (node, weight, origin) => {
      const frame = this.model.frame[node];
      let group = groups.get(frame);
      if (!group) groups.set(frame, group = {frame, nodes: [], weights: [], origins: []});
      group.nodes.push(node), group.weights.push(weight), group.origins.push(origin);
    };
    this.up ? this.stepUp(item.ref, add) : this.stepDown(item.ref, add);
    const sorted = [...groups.values()].sort((a, b) => a.frame - b.frame);
    const shown = [];
    let at = 0;
    for (const group of sorted) {
      const width = sumOf(group.weights);
      if (width >= least && width > 0) shown.push(this.finished(group, at));
      at += width;
    }
    return shown;
  }
  stepUp({nodes, weights, origins}, add) {
    const isTop = nodes === this.top.nodes && this.top.frame < 0;  // the starts themselves come first
    for (let i = 0; i < nodes.length; ++i) {
      const node = isTop ? nodes[i] : this.model.parent[nodes[i]];
      if (node !== 0) add(node, weights[i], origins[i]);
    }
  }
  stepDown({nodes}, add) {
    const {model} = this, sum = this.widths[this.unit];
    for (const start of nodes) {
      for (let node = start + 1, end = model.end[start]; node < end; node = model.end[node]) {
        const weight = sum[model.end[node]] - sum[node];
        if (weight > 0 || this.before) add(node, weight, node);
      }
    }
  }
}

function sumOf(numbers) {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

// From the leaves to the roots.
function reversedTree(shown) {
  const {model, now, before, unit} = shown, starts = [];
  for (let node = 1; node < model.size; ++node) {
    if (now.self(node, unit) > 0 || (before && before.self(node, unit) > 0)) starts.push(node);
  }
  return new MergedTree(shown, starts, {up: true, weigh: (of, node, by) => of.self(node, by)});
}

// The threads together.
function treeWithoutThreads(shown) {
  const {model} = shown, starts = [];
  for (let node = 0; node < model.size;) {
    if (node === 0 || model.isThread(model.frame[node])) starts.push(node), ++node;
    else node = model.end[node];
  }
  return new JoinedThreads(shown, starts, {up: false, weigh: (of, node, by) => (node === 0 ? of.total(0, by) : 0)});
}

class JoinedThreads extends MergedTree {
  stepDown(group, add) {
    super.stepDown(group, (node, weight, origin) => {
      if (group !== this.top || !this.model.isThread(this.model.frame[node])) add(node, weight, origin);
    });
  }
}

const treeOfFunction = (shown, frame, up) =>
  new MergedTree(shown, shown.model.outermostNodes(frame), {up, weigh: (of, node, by) => of.total(node, by), frame});
const callersTree = (shown, frame) => treeOfFunction(shown, frame, true);
const calleesTree = (shown, frame) => treeOfFunction(shown, frame, false);
