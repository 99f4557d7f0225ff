// The calls of each process, on each CPU, or in each control group: flame graphs with a box for each group in front.

import {Amounts} from "./amounts.js";
import {sumOf} from "./trees.js";

// A tree with the interface of trees.js. The ref of an item: {node, ranges}, with a range of nodes of each side. null:
// the root.
export class GroupedTree {
  constructor(shown, shape) {
    Object.assign(this, shown);
    const {model, unit, widths, of, now, before} = this, amounts = before ? [now, before] : [now];
    this.groups = model.groups[shape];
    this.sides = amounts.map((side) => side.grouped(shape));
    this.told = amounts.indexOf(of);
    const {weight, scale} = widths === of ? {} : Amounts.mixOf(now, before, unit);
    this.weights = widths === of ? amounts.map((side) => (side === of ? 1 : 0)) : [weight, weight * scale];
  }
  root() {
    const {widths, of, unit, now, before} = this, total = of.total(0, unit);
    return {
      frame: -1,
      at: 0,
      ref: null,
      width: widths.total(0, unit),
      total,
      self: 0,
      all: total,
      change: before ? {before: before.both(0), now: now.both(0)} : null
    };
  }
  item(frame, node, ranges, at, width) {
    const {sides, told, unit, of} = this, side = sides[told], [begin, end] = ranges[told];
    const both = (i) => ({samples: sides[i].amount(ranges[i], "samples"), value: sides[i].amount(ranges[i], "value")});
    const hasSelf = begin < end && side.nodes[begin] === node;
    return {
      frame,
      at,
      ref: {node, ranges},
      width,
      total: side.amount(ranges[told], unit),
      all: of.total(0, unit),
      self: hasSelf ? side.amount([begin, begin + 1], unit) : 0,
      change: this.before ? {before: both(1), now: both(0)} : null
    };
  }
  child(item, frame) { return this.children(item, 0).find((child) => child.frame === frame) ?? null; }
  children({ref}, least) {
    const shown = [];
    let at = 0;
    const take = (frame, node, ranges) => {
      const width = sumOf(this.sides.map((side, i) => this.weights[i] * side.amount(ranges[i], this.unit)));
      if (width >= least && width > 0) shown.push(this.item(frame, node, ranges, at, width));
      at += width;
    };
    if (ref) this.forEachChild(ref, take);
    else this.forEachGroup(take);
    return shown;
  }
  forEachGroup(take) {
    for (let group = 0; group <= this.groups.known; ++group)
      take(this.groups.frame + group, 0, this.sides.map((side) => side.group(group)));
  }
  // The children of a node that have samples in the group.
  forEachChild({node, ranges}, take) {
    const {model, sides} = this;
    let begins = sides.map((side, i) => side.from(node + 1, ranges[i]));
    for (let child = node + 1;;) {
      const next = Math.min(...sides.map((side, i) => (begins[i] < ranges[i][1] ? side.nodes[begins[i]] : Infinity)));
      if (next === Infinity) return;
      child = this.childAround(next, node, child);
      const ends = sides.map((side, i) => side.from(model.end[child], [begins[i], ranges[i][1]]));
      take(model.frame[child], child, begins.map((begin, i) => [begin, ends[i]]));
      begins = ends;
      child = model.end[child];
    }
  }
  // The child of `parent` whose subtree contains a node. `child`: this child, or a child before it. There may be many
  // children, or many levels.
  childAround(node, parent, child) {
    const {model} = this;
    for (let steps = 0; steps < 64; ++steps) {
      if (node < model.end[child]) return child;
      child = model.end[child];
    }
    while (model.parent[node] !== parent) node = model.parent[node];
    return node;
  }
}
