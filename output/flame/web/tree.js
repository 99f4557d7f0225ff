// The stacks of a picture as a tree in preorder: a node comes before its children, and a subtree is a range of nodes.
// Node 0 is the root.

import {forEachOutermost} from "../../web/search.js";
import {subtrees} from "../../web/tree.js";

// Bits of a frame: its kind in the lowest three.
export const inlined = 8;
export const unnamed = 16;

// Numbers of a column: base64 digits of 5 bits, the lowest first; a digit with 32 added continues the number.
const numbers = (text) => {
  const digits = new Uint8Array(128);
  [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((digit, value) => {
    digits[digit.charCodeAt(0)] = value;
  });
  let at = 0;
  return () => {
    let digit = digits[text.charCodeAt(at++)];
    if (digit < 32) return digit;
    let number = digit - 32;
    // Numbers may have more than the 32 bits of shifts.
    for (let factor = 32; digit >= 32; factor *= 32) {
      digit = digits[text.charCodeAt(at++)];
      number += (digit >= 32 ? digit - 32 : digit) * factor;
    }
    return number;
  };
};

export class FlameTree {
  // `data`: what the writer of the picture has put into the document.
  constructor(data) {
    const size = data.count;
    this.size = size;
    this.frames = data.frames;
    this.kind = data.kind;
    this.factor = data.factor;
    this.frame = new Uint32Array(size);
    this.depth = new Uint32Array(size);
    // The sums of all nodes before: the amount of a node is the difference of two sums.
    this.values = new Float64Array(size + 1);
    this.samples = new Float64Array(size + 1);
    this.difference = data.difference ?? null;
    if (this.difference) {
      this.valuesBefore = new Float64Array(size + 1);
      this.samplesBefore = new Float64Array(size + 1);
      this.change = new Uint8Array(size);
    }
    this.decode(data.nodes);
    this.place();
  }

  decode(text) {
    const next = numbers(text);
    const take = (node, values, samples) => {
      const number = next();
      const taken = Math.floor(number / 2);
      samples[node + 1] = samples[node] + taken;
      values[node + 1] = values[node] + (number % 2 === 1 ? next() : taken);
    };
    let depth = -1;
    for (let node = 0; node < this.size; ++node) {
      depth += 1 - next();
      this.depth[node] = depth;
      this.frame[node] = next();
      take(node, this.values, this.samples);
      if (!this.difference) continue;
      take(node, this.valuesBefore, this.samplesBefore);
      this.change[node] = next();
    }
    Object.assign(this, subtrees(this.size, (node) => this.depth[node]));
  }

  // Finds where each node begins. The root is 1 wide. Columns (the events) share it evenly; each lane (a thread) is 1
  // wide and begins at its number.
  place() {
    const start = this.start = new Float64Array(this.size + 1);
    this.bases = [];
    if (this.kind === "graph") {
      this.spread(0, this.size, this.weight(0, this.size), 0, 1);
      return;
    }
    for (let node = 1; node < this.size; node = this.end[node]) this.bases.push(node);
    const width = this.kind === "lanes" ? 1 : 1 / this.bases.length;
    this.bases.forEach((base, number) => {
      this.spread(base, this.end[base], this.weight(base, this.end[base]), number * width, width);
    });
    start[this.size] = this.bases.length * width;
  }

  spread(from, until, total, left, width) {
    const scale = total > 0 ? width / total : 0;
    let sum = 0;
    for (let node = from; node < until; ++node) {
      this.start[node] = left + sum * scale;
      sum += this.weight(node, node + 1);
    }
    this.start[until] = left + width;
  }

  // The amount that the width shows. In a difference it is the mean of both sides, which shows vanished frames, too.
  weight(from, until) {
    const after = this.values[until] - this.values[from];
    if (!this.difference) return after;
    return (after + (this.valuesBefore[until] - this.valuesBefore[from]) * this.difference.scale) / 2;
  }

  width(node) { return this.start[this.end[node]] - this.start[node]; }

  // The number of the node's lane or column.
  base(node) {
    if (this.kind === "graph" || node === 0) return 0;
    while (this.depth[node] > 1) node = this.parent[node];
    return node;
  }
  // The start of the node in its lane.
  left(node) {
    return this.kind === "lanes" && node !== 0 ? this.start[node] - this.bases.indexOf(this.base(node))
                                               : this.start[node];
  }

  value(node) { return (this.values[this.end[node]] - this.values[node]) * this.factor; }
  selfValue(node) { return (this.values[node + 1] - this.values[node]) * this.factor; }
  sampleCount(node) { return this.samples[this.end[node]] - this.samples[node]; }
  // The measured amount, and the amount scaled to the total of the other side where shares are compared.
  measuredBefore(node) { return (this.valuesBefore[this.end[node]] - this.valuesBefore[node]) * this.factor; }
  valueBefore(node) { return this.measuredBefore(node) * this.difference.scale; }
  samplesBeforeOf(node) { return this.samplesBefore[this.end[node]] - this.samplesBefore[node]; }

  isUnnamed(node) { return (this.frames[this.frame[node]][2] & unnamed) !== 0; }
  // Frame 0 is none: that of the root, and of the time between the samples of a lane.
  isGap(node) { return node !== 0 && this.frame[node] === 0; }
  text(node) { return node === 0 ? "all" : this.frames[this.frame[node]][0]; }

  // The interface for output/web/layout.js. A key is a node.
  root() { return this.item(0, 0); }
  child(_, node) { return this.item(node, 0); }
  children({node: parent}, least) {
    const items = [];
    for (let node = parent + 1; node < this.end[parent]; node = this.end[node]) {
      if (this.width(node) >= least && !this.isGap(node))
        items.push(this.item(node, this.start[node] - this.start[parent]));
    }
    return items;
  }
  item(node, at) { return {node, at, width: this.width(node)}; }

  // The nodes from below the root to this one.
  path(node) {
    const path = [];
    for (; node !== 0; node = this.parent[node]) path.unshift(node);
    return path;
  }

  widestChild(node) {
    let widest = null;
    for (let child = node + 1; child < this.end[node]; child = this.end[child]) {
      if (!this.isGap(child) && (widest === null || this.width(child) > this.width(widest))) widest = child;
    }
    return widest;
  }

  // The frames whose names match, the number of their nodes, and for each column (or lane) the total of their
  // stacks.
  search(test) {
    const frames = Uint8Array.from(this.frames, ([name], number) => (number > 0 && test(name) ? 1 : 0));
    const totals = new Map();
    let nodes = 0;
    for (const frame of this.frame) nodes += frames[frame];
    forEachOutermost(this, frames, (node) => {
      const base = this.base(node), total = totals.get(base) ?? {value: 0, samples: 0, before: 0};
      total.value += this.value(node);
      total.samples += this.sampleCount(node);
      if (this.difference) total.before += this.valueBefore(node);
      totals.set(base, total);
    });
    return {frames, nodes, totals};
  }
}
