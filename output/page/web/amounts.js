// What the samples of a selection add up to.

import {GroupedAmounts} from "./groups.js";
import {forEachRow, forEachSum} from "./selection.js";

// The amounts of a selection's samples by node of the tree. `unit`: "samples" or "value".
export class Amounts {
  // byLeaf: {samples, value}; selection, kept: see selection.js.
  constructor(model, byLeaf, selection, kept) {
    Object.assign(this, {byLeaf, selection, kept});
    const sums = (leaves) => {
      const sum = new Float64Array(model.size + 1), nodes = model.leaves.node;
      for (let leaf = 0; leaf < leaves.length; ++leaf) sum[nodes[leaf] + 1] += leaves[leaf];
      for (let node = 0; node < model.size; ++node) sum[node + 1] += sum[node];
      return sum;
    };
    this.model = model;
    this.samples = sums(byLeaf.samples);
    this.value = byLeaf.value === byLeaf.samples ? this.samples : sums(byLeaf.value);
  }
  // The mean of the shares in two selections, in units of the first selection's amounts. So boxes have widths for both.
  static ofBoth(model, now, before, unit) {
    const {weight, scale} = Amounts.mixOf(now, before, unit);
    const sumsNow = now[unit], sumsBefore = before[unit], sums = new Float64Array(sumsNow.length);
    for (let node = 0; node < sums.length; ++node) sums[node] = weight * (sumsNow[node] + scale * sumsBefore[node]);
    return Object.assign(Object.create(Amounts.prototype), {model, [unit]: sums});
  }
  // The mix of amounts of both selections: weight * (now + scale * before).
  static mixOf(now, before, unit) {
    const allNow = now.total(0, unit), allBefore = before.total(0, unit), areBoth = allNow > 0 && allBefore > 0;
    return {weight: areBoth ? 0.5 : 1, scale: areBoth ? allNow / allBefore : 1};
  }
  // The amounts by group: see groups.js.
  grouped(shape) {
    this.byShape ??= {};
    return this.byShape[shape] ??= new GroupedAmounts(this.model, this.selection, this.kept, this.model.groups[shape]);
  }
  total(node, unit) { return this[unit][this.model.end[node]] - this[unit][node]; }
  both(node) { return {samples: this.total(node, "samples"), value: this.total(node, "value")}; }
  self(node, unit) { return this[unit][node + 1] - this[unit][node]; }

  // By function: {total, self}.
  functions(unit) {
    this.byFunction ??= {};
    return this.byFunction[unit] ??= this.sumsOfFunctions(unit);
  }
  sumsOfFunctions(unit) {
    const {model} = this, sum = this[unit];
    const total = new Float64Array(model.frameCount), self = new Float64Array(model.frameCount);
    const end = new Int32Array(model.frameCount);  // by function: the end of its last outermost node
    for (let node = 1; node < model.size; ++node) {
      const frame = model.frame[node];
      self[frame] += sum[node + 1] - sum[node];
      if (node < end[frame]) continue;
      end[frame] = model.end[node];
      total[frame] += sum[model.end[node]] - sum[node];
    }
    return {total, self};
  }
}

export function amountsOf(model, selection, kept) {
  const leaves = model.leaves.node.length;
  const samples = new Float64Array(leaves), value = new Float64Array(leaves);
  const rows = model.recordings.map((recording) => recording.rows);
  forEachRow(model, selection, kept, (row, number) => {
    const leaf = rows[number].leaf[row];
    ++samples[leaf];
    value[leaf] += rows[number].value[row];
  });
  forEachSum(model, selection, kept, (sum) => {
    samples[sum.leaf] += sum.samples;
    value[sum.leaf] += sum.value;
  });
  return new Amounts(model, {samples, value}, selection, kept);
}
