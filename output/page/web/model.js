// The recorded data: functions, the tree of their calls, and the samples, as arrays.
//
// Nodes of the tree are numbered so that a subtree is a range of numbers: see analysis/profile/call_tree.h. The root is
// 0.

import {subtrees} from "../../web/tree.js";

import {readColumn} from "./columns.js";
import {GroupedAmounts} from "./groups.js";

export class Model {
  constructor(data) {
    const size = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
    const page = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + size)));
    const bytes = data.subarray(4 + size);
    const read = (columns) =>
      Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, readColumn(bytes, column)]));
    this.page = page;
    this.events = page.events;
    this.files = page.files;
    const frames = read(page.frames);
    this.frameCount = frames.name.length;
    this.names = Array.from(frames.name, (name) => page.names[name]);
    this.binaries = Array.from(frames.binary, (binary) => page.binaries[binary]);
    this.kinds = Array.from(frames.kind, (kind) => page.kinds[kind >> 1]);
    // Folded text does not have the kinds. Its frames count as user functions, unless their names begin with [ or -.
    this.kinds =
      this.kinds.map((kind, frame) => (kind === "other" && !/^[[-]/.test(this.names[frame]) ? "user" : kind));
    this.inlined = Array.from(frames.kind, (kind) => (kind & 1) === 1);
    this.readTree(read(page.nodes));
    this.leaves = read(page.leaves);
    this.recordings = page.recordings.map((recording) => ({
      ...recording,
      first: BigInt(recording.first),
      length: recording.duration * recording.unit,
      rows: read(recording.rows),
      rest: read(recording.rest),
      waits: recording.waits ? read(recording.waits) : null,  // intervals in which threads were off their CPU
      waitingThreads: (recording.waitingThreads ?? []).map(([pid, tid, comm, unknown]) => ({pid, tid, comm, unknown})),
      threads:
        recording.threads.map(([pid, tid, comm, begin, timedEnd, end]) => ({pid, tid, comm, begin, timedEnd, end})),
    }));
    this.length = Math.max(0, ...this.recordings.map((recording) => recording.length));
    this.hasTimes =
      this.recordings.some((recording) => recording.threads.some((thread) => thread.timedEnd > thread.begin));
  }

  readTree({frame, depth}) {
    const size = this.size = frame.length + 1;
    this.frame = new Int32Array(size).fill(-1);
    this.frame.set(frame, 1);
    Object.assign(this, subtrees(size, (node) => (node === 0 ? 0 : depth[node - 1])));
  }

  isThread(frame) { return frame >= 0 && (this.kinds[frame] === "thread" || this.kinds[frame] === "cgroup"); }

  // The nodes of a function that are not below another node of the function. So recursive calls count once.
  outermostNodes(frame) {
    const nodes = [];
    for (let node = 1, end = 0; node < this.size; ++node) {
      if (this.frame[node] === frame && node >= end) nodes.push(node), end = this.end[node];
    }
    return nodes;
  }
}

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
