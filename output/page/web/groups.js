// Samples by process, CPU or control group.
//
// The frame number of a group is behind the frames of the recording, and the model has its name. In one recording,
// processes are grouped by number. In several recordings equal processes have different numbers, so the name is used.

import {clipped} from "../../web/text.js";

import {forEachRow, forEachSum, lowerBound} from "./selection.js";
import {sumOf} from "./trees.js";

// Adds {known, frame, of, by} to the model for each shape. known: the number of groups, not counting the group of
// unknown processes, CPUs or control groups, which comes last. frame: the frame of the first group. of: by recording,
// the group of each thread, CPU or control group, and at the end the last group. by: which of the three decides the
// group.
export function addGroups(model) {
  const {recordings} = model;
  const threads = recordings.map((recording) => processNames(recording, recordings.length === 1));
  const cpus = recordings.map((recording) => recording.cpus.map((cpu) => (cpu < 0 ? null : cpu)));
  const cgroups = recordings.map((recording) => [null, ...recording.cgroups]), isBefore = (a, b) => (a < b ? -1 : 1);
  model.groups = {
    processes: {...groupsOf(model, threads, isBefore, (name) => name, "[process not recorded]"), by: "thread"},
    cpus: {...groupsOf(model, cpus, (a, b) => a - b, (cpu) => `CPU ${cpu}`, "[CPU not recorded]"), by: "cpu"},
    cgroups: {...groupsOf(model, cgroups, isBefore, (path) => path, "[control group not recorded]"), by: "cgroup"},
  };
}

// The name of each thread's process, which is the name of the process's first thread.
function processNames({threads}, isNumbered) {
  const comms = new Map();
  for (const {pid, tid, comm} of threads) {
    if (!comms.has(pid) || tid === pid) comms.set(pid, clipped(comm || "[no name]", 60));
  }
  return threads.map(({pid}) => (pid < 0 ? null : isNumbered ? `${comms.get(pid)} ${pid}` : comms.get(pid)));
}

// keys: by recording, the key of each thread, CPU or control group. null: not known.
function groupsOf(model, keys, order, textOf, unknown) {
  const known = [...new Set(keys.flat())].filter((key) => key !== null).sort(order), frame = model.names.length;
  const numbers = new Map([...known, null].map((key, number) => [key, number]));
  for (const text of [...known.map(textOf), unknown]) {
    model.names.push(text), model.binaries.push(""), model.kinds.push("thread"), model.inlined.push(false);
  }
  return {known: known.length, frame, of: keys.map((of) => Uint32Array.from([...of, null], (key) => numbers.get(key)))};
}

// The amounts of a selection by group and node.
//
// The nodes of group g with samples of their own are nodes[begins[g]] to nodes[begins[g + 1] - 1], ascending. samples
// and value are running sums, so the amount of a subtree in a group is a difference.
export class GroupedAmounts {
  constructor(model, selection, kept, {of, known, by}) {
    const entries = new GroupEntries(model);
    model.recordings.forEach(({rows}, number) => {
      const groups = of[number], column = rows[by], only = {...selection, recording: number};
      if (selection.recording !== null && selection.recording !== number) return;
      forEachRow(model, only, kept,
        (row, _, thread) => entries.add(groups[column ? column[row] : thread], rows.leaf[row], 1, rows.value[row]));
    });
    forEachSum(model, selection, kept, ({leaf, samples, value, number, thread, cpu, cgroup}) => {
      const place = by === "cpu" ? model.recordings[number].cpus.indexOf(cpu) : by === "cgroup" ? cgroup : thread ?? -1;
      entries.add(of[number].at(place), leaf, samples, value);
    });
    this.addUp(entries, model.leaves.node, known + 1);
  }
  addUp(entries, nodeOf, groups) {
    const {size} = entries, {begins: places, indices} = entries.byGroup(groups), sums = new LeafSums(nodeOf.length);
    const begins = new Uint32Array(groups + 1), nodes = new Int32Array(size), samples = new Float64Array(size + 1),
          value = new Float64Array(size + 1);
    let count = 0;
    for (let group = 0; group < groups; ++group) {
      sums.addAll(entries, indices.subarray(places[group], places[group + 1]));
      for (const leaf of sums.leaves()) {
        const node = nodeOf[leaf];  // leaves of one node follow each other
        if (count === begins[group] || nodes[count - 1] !== node) {
          nodes[count++] = node;
          samples[count] = samples[count - 1];
          value[count] = value[count - 1];
        }
        samples[count] += sums.samples[leaf];
        value[count] += sums.value[leaf];
      }
      sums.clear();
      begins[group + 1] = count;
    }
    Object.assign(this, {begins, nodes, samples, value});
  }
  // A range of nodes: [begin, end].
  group(group) { return [this.begins[group], this.begins[group + 1]]; }
  from(node, [begin, end]) { return lowerBound(this.nodes, begin, end, node); }
  amount([begin, end], unit) { return this[unit][end] - this[unit][begin]; }
}

// Samples, or sums of samples, as columns.
class GroupEntries {
  constructor({recordings}) {
    const most = sumOf(recordings.map(({rows, rest}) => rows.leaf.length + rest.leaf.length));
    Object.assign(this, {
      size: 0,
      group: new Uint32Array(most),
      leaf: new Uint32Array(most),
      samples: new Float64Array(most),
      value: new Float64Array(most)
    });
  }
  add(group, leaf, samples, value) {
    const i = this.size++;
    this.group[i] = group;
    this.leaf[i] = leaf;
    this.samples[i] = samples;
    this.value[i] = value;
  }
  // The indices of the entries in the order of their groups. Group g has those from begins[g] to begins[g + 1] - 1.
  byGroup(groups) {
    const {size, group} = this, begins = new Uint32Array(groups + 1), indices = new Uint32Array(size);
    for (let i = 0; i < size; ++i) ++begins[group[i] + 1];
    for (let g = 0; g < groups; ++g) begins[g + 1] += begins[g];
    const places = begins.slice();
    for (let i = 0; i < size; ++i) indices[places[group[i]]++] = i;
    return {begins, indices};
  }
}

// The sums of a group's entries by leaf.
class LeafSums {
  constructor(leaves) {
    Object.assign(this, {
      count: 0,
      all: new Uint32Array(leaves),
      isIn: new Uint8Array(leaves),
      samples: new Float64Array(leaves),
      value: new Float64Array(leaves)
    });
  }
  addAll(entries, indices) {
    const {all, isIn, samples, value} = this;
    for (let k = 0; k < indices.length; ++k) {
      const i = indices[k], leaf = entries.leaf[i];
      if (isIn[leaf] === 0) isIn[leaf] = 1, all[this.count++] = leaf;
      samples[leaf] += entries.samples[i];
      value[leaf] += entries.value[i];
    }
  }
  // The leaves in their order, which is the order of their nodes.
  leaves() {
    const {all, isIn} = this, isSparse = this.count < all.length / 16;  // otherwise a look at all leaves is faster
    if (isSparse) return all.subarray(0, this.count).sort();
    for (let leaf = 0, i = 0; leaf < isIn.length; ++leaf) {
      if (isIn[leaf] === 1) all[i++] = leaf;
    }
    return all.subarray(0, this.count);
  }
  clear() {
    for (const leaf of this.all.subarray(0, this.count)) this.isIn[leaf] = this.samples[leaf] = this.value[leaf] = 0;
    this.count = 0;
  }
}
