// Trees that a flame graph can show.
//
// An item is a box of the picture: {frame, total, self, change, at, ref}; frame -1: the root; change: {before, now}, the
// amounts in both selections, where two are compared; at: where it begins inside its parent, in the unit of total.
// children(item, least) leaves out children below `least`, but not their room. child(item, frame): null if there is none.

// The calls as they were recorded.
class CallsTree {
  constructor(model, amounts, base, unit) { Object.assign(this, {model, amounts, base, unit}); }

  item(node, at) {
    return {frame: this.model.frame[node], at, ref: node,
            total: this.amounts.total(node, this.unit), self: this.amounts.self(node, this.unit),
            change: this.base ? {before: this.base.both(node), now: this.amounts.both(node)} : null};
  }
  root() { return this.item(0, 0); }
  child(item, frame) {
    const {model} = this, end = model.end[item.ref];
    for (let node = item.ref + 1; node < end; node = model.end[node]) {
      if (model.frame[node] === frame && this.amounts.total(node, this.unit) > 0) return this.item(node, 0);
    }
    return null;
  }
  children(item, least) {
    const {model} = this, sum = this.amounts[this.unit], shown = [];
    const end = model.end[item.ref];
    for (let node = item.ref + 1, at = 0; node < end; node = model.end[node]) {
      const total = sum[model.end[node]] - sum[node];
      if (total >= least && total > 0) shown.push(this.item(node, at));
      at += total;
    }
    return shown;
  }
}

// Nodes of one function are one box, wherever they are: below the starts, or above them.
class MergedTree {
  // starts: nodes; up: the children of a box are its callers. `weigh(amounts, node, unit)`: what a start adds.
  constructor(model, amounts, base, unit, starts, {up, weigh, frame = -1}) {
    Object.assign(this, {model, amounts, base, unit, up, weigh});
    this.top = {frame, nodes: starts, origins: starts, weights: starts.map((node) => weigh(amounts, node, unit))};
  }
  root() { return this.finished(this.top, 0); }
  child(item, frame) { return this.children(item, 0).find((child) => child.frame === frame) ?? null; }

  // A group: nodes, what each adds, and the starts from which the steps up have led to them.
  finished(group, at) {
    const total = sumOf(group.weights);
    return {frame: group.frame, at, ref: group, total, self: this.selfOf(group),
            change: this.base ? {before: this.bothOf(group, this.base), now: this.bothOf(group, this.amounts)} : null};
  }
  bothOf(group, amounts) {
    const both = {samples: 0, value: 0};
    const isWeighed = this.up || group === this.top;
    for (const node of isWeighed ? group.origins : group.nodes) {
      for (const unit of ["samples", "value"]) both[unit] += isWeighed ? this.weigh(amounts, node, unit) : amounts.total(node, unit);
    }
    return both;
  }
  selfOf({nodes, weights}) {
    let self = 0;
    for (let i = 0; i < nodes.length; ++i) {
      if (!this.up) self += this.amounts.self(nodes[i], this.unit);
      else if (this.model.parent[nodes[i]] === 0) self += weights[i];
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
      const total = sumOf(group.weights);
      if (total >= least && total > 0) shown.push(this.finished(group, at));
      at += total;
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
    const {model} = this, sum = this.amounts[this.unit];
    for (const start of nodes) {
      for (let node = start + 1, end = model.end[start]; node < end; node = model.end[node]) {
        const weight = sum[model.end[node]] - sum[node];
        if (weight > 0 || this.base) add(node, weight, node);
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
function reversedTree(model, amounts, base, unit) {
  const starts = [];
  for (let node = 1; node < model.size; ++node) {
    if (amounts.self(node, unit) > 0 || (base && base.self(node, unit) > 0)) starts.push(node);
  }
  return new MergedTree(model, amounts, base, unit, starts, {up: true, weigh: (of, node, by) => of.self(node, by)});
}

// The threads together.
function treeWithoutThreads(model, amounts, base, unit) {
  const starts = [];
  for (let node = 0; node < model.size;) {
    if (node === 0 || model.isThread(model.frame[node])) starts.push(node), ++node;
    else node = model.end[node];
  }
  return new JoinedThreads(model, amounts, base, unit, starts, {up: false, weigh: (of, node, by) => (node === 0 ? of.total(0, by) : 0)});
}

class JoinedThreads extends MergedTree {
  stepDown(group, add) {
    super.stepDown(group, (node, weight, origin) => {
      if (group !== this.top || !this.model.isThread(this.model.frame[node])) add(node, weight, origin);
    });
  }
}

function callersTree(model, amounts, base, unit, frame) {
  return new MergedTree(model, amounts, base, unit, model.outermostNodes(frame),
                        {up: true, weigh: (of, node, by) => of.total(node, by), frame});
}

function calleesTree(model, amounts, base, unit, frame) {
  return new MergedTree(model, amounts, base, unit, model.outermostNodes(frame),
                        {up: false, weigh: (of, node, by) => of.total(node, by), frame});
}
