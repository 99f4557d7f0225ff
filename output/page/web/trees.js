// Trees that a flame graph can show.
//
// The data of a tree is {model, unit, widths, of, now, before}. `widths`: the Amounts that decide the width of boxes;
// `of`: the Amounts in their texts; `now` and `before`: the compared Amounts, where before is null without a
// comparison.
//
// An item is a box of the picture: {frame, width, total, self, all, change, at, ref}. frame -1: the root; total, self:
// amounts of the box; all: the amount of the whole selection; change: {before, now}; at: where the box begins inside
// its parent, in the unit of width. children(item, least) leaves out children narrower than `least`, but keeps their
// room. child(item, frame): null if there is no such child.

// The tree of the recorded calls.
export class CallsTree {
  constructor(shown) { Object.assign(this, shown); }

  item(node, at) {
    const {unit, of} = this;
    return {
      frame: this.model.frame[node],
      at,
      ref: node,
      width: this.widths.total(node, unit),
      total: of.total(node, unit),
      self: of.self(node, unit),
      all: of.total(0, unit),
      change: this.before ? {before: this.before.both(node), now: this.now.both(node)} : null
    };
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

// A tree in which nodes of one function are one box, wherever they are: below the starts, or above them.
//
// A group is the content of a box: nodes, the width that each node adds, and the starts from which the steps up have
// led to these nodes. It keeps the boxes of its children, because groups of a large tree take long to find.
class MergedTree {
  // starts: nodes; up: the children of a box are its callers. `last(node)`: a start adds the amounts of the nodes from
  // its own node to last(node) - 1.
  constructor(shown, starts, {up, last, frame = -1}) {
    Object.assign(this, shown, {up, last});
    this.top = new Group(frame, starts.length);
    const sums = this.widths[this.unit];
    for (const node of starts) this.top.add(node, sums[last(node)] - sums[node], node);
    const {frameCount, size} = this.model;
    this.found = {
      count: new Int32Array(frameCount),
      width: new Float64Array(frameCount),
      group: new Array(frameCount).fill(null)
    };
    this.next = new Group(-1, up ? starts.length : size);  // all nodes one step away from the last group
  }
  root() { return this.finished(this.top, 0); }
  child({ref}, frame) {
    return ref.children?.find((child) => child.frame === frame) ?? this.childrenOf(ref, 0, frame)[0] ?? null;
  }
  children({ref}, least) {
    if (!ref.children || least < ref.least) Object.assign(ref, {least, children: this.childrenOf(ref, least)});
    return least === ref.least ? ref.children : ref.children.filter(({width}) => width >= least);
  }

  finished(group, at) { return new GroupItem(this, group, at); }
  totalOf(group, amounts, unit) {
    const isOfStarts = this.up || group === this.top, nodes = isOfStarts ? group.origins : group.nodes;
    const sums = amounts[unit], {end} = this.model, {last} = this;
    let total = 0;
    for (let i = 0; i < group.size; ++i) total += sums[isOfStarts ? last(nodes[i]) : end[nodes[i]]] - sums[nodes[i]];
    return total;
  }
  bothOf(group, amounts) {
    return {samples: this.totalOf(group, amounts, "samples"), value: this.totalOf(group, amounts, "value")};
  }
  // null: not shown. Callers have the amounts of their callees, so only the leaves have self amounts.
  selfOf(group) {
    const {size, nodes, origins} = group, sums = this.of[this.unit];
    const isOfLeaves = this.top.frame < 0 && group !== this.top && nodes[0] === origins[0];
    if (this.up && !isOfLeaves) return null;
    let self = 0;
    for (let i = 0; i < size; ++i) self += sums[nodes[i] + 1] - sums[nodes[i]];
    return self;
  }
  // The children in the order of their functions. Children narrower than `least` are only counted. only: the one
  // function that is wanted.
  childrenOf(group, least, only = null) {
    const {frame: frameOf} = this.model, {count, width, group: groupOf} = this.found, {next} = this, frames = [];
    next.size = 0;
    this.up ? this.stepUp(group) : this.stepDown(group);
    for (let i = 0; i < next.size; ++i) {
      const frame = frameOf[next.nodes[i]];
      if (count[frame]++ === 0) frames.push(frame);
      width[frame] += next.weights[i];
    }
    frames.sort((a, b) => a - b);
    const places = [];
    let at = 0;
    for (const frame of frames) {
      const isShown = width[frame] >= least && width[frame] > 0 && (only === null || frame === only);
      if (isShown) places.push({at, group: groupOf[frame] = new Group(frame, count[frame])});
      at += width[frame];
      count[frame] = width[frame] = 0;
    }
    if (places.length === 0) return [];
    for (let i = 0; i < next.size; ++i)
      groupOf[frameOf[next.nodes[i]]]?.add(next.nodes[i], next.weights[i], next.origins[i]);
    for (const {group: {frame}} of places) groupOf[frame] = null;
    return places.map((place) => this.finished(place.group, place.at));
  }
  stepUp({size, nodes, weights, origins}) {
    const {parent} = this.model, {next} = this;
    const isTop = nodes === this.top.nodes && this.top.frame < 0;  // the starts themselves come first
    for (let i = 0; i < size; ++i) {
      const node = isTop ? nodes[i] : parent[nodes[i]];
      if (node !== 0) next.add(node, weights[i], origins[i]);
    }
  }
  stepDown({size, nodes}) {
    const {end} = this.model, {next} = this, sum = this.widths[this.unit];
    for (let i = 0; i < size; ++i) {
      for (let node = nodes[i] + 1, last = end[nodes[i]]; node < last; node = end[node]) {
        const weight = sum[end[node]] - sum[node];
        if (weight > 0 || this.before) next.add(node, weight, node);
      }
    }
  }
}

// An item whose amounts are added up on first use. Most boxes never need them.
class GroupItem {
  constructor(tree, group, at) { Object.assign(this, {tree, at, ref: group, frame: group.frame, width: group.width}); }
  get total() {
    const {tree, ref, width} = this;
    return tree.of === tree.widths ? width : tree.totalOf(ref, tree.of, tree.unit);
  }
  get self() { return this.tree.selfOf(this.ref); }
  get all() { return this.tree.of.total(0, this.tree.unit); }
  get change() {
    const {tree, ref} = this;
    if (!tree.before) return null;
    return this.known ??= {before: tree.bothOf(ref, tree.before), now: tree.bothOf(ref, tree.now)};
  }
}

class Group {
  constructor(frame, most) {
    Object.assign(this, {frame, size: 0, width: 0, children: null, least: 0});
    this.nodes = new Int32Array(most);
    this.weights = new Float64Array(most);
    this.origins = new Int32Array(most);
  }
  add(node, weight, origin) {
    const i = this.size++;
    this.nodes[i] = node;
    this.weights[i] = weight;
    this.origins[i] = origin;
    this.width += weight;
  }
}

export function sumOf(numbers) {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

// The tree from the leaves to the roots.
export function reversedTree(shown) {
  const {model, now, before, unit} = shown, starts = [];
  const sums = now[unit], others = before ? before[unit] : sums;
  for (let node = 1; node < model.size; ++node) {
    if (sums[node + 1] > sums[node] || others[node + 1] > others[node]) starts.push(node);
  }
  return new MergedTree(shown, starts, {up: true, last: (node) => node + 1});
}

// The tree without threads.
export function treeWithoutThreads(shown) {
  const {model} = shown, starts = [];
  for (let node = 0; node < model.size;) {
    if (node === 0 || model.isThread(model.frame[node])) starts.push(node), ++node;
    else node = model.end[node];
  }
  return new JoinedThreads(shown, starts, {up: false, last: (node) => (node === 0 ? model.size : node)});
}

class JoinedThreads extends MergedTree {
  stepDown(group) {
    super.stepDown(group);
    if (group !== this.top) return;
    const {next, model} = this, {size} = next;
    next.size = next.width = 0;
    for (let i = 0; i < size; ++i) {
      if (!model.isThread(model.frame[next.nodes[i]])) next.add(next.nodes[i], next.weights[i], next.origins[i]);
    }
  }
}

const treeOfFunction = (shown, frame, up) =>
  new MergedTree(shown, shown.model.outermostNodes(frame), {up, last: (node) => shown.model.end[node], frame});
export const callersTree = (shown, frame) => treeOfFunction(shown, frame, true);
export const calleesTree = (shown, frame) => treeOfFunction(shown, frame, false);
