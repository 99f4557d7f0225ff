// The texts of the picture about a node.

import {changeOf} from "../../web/change.js";
import {counted, timeUnit} from "../../web/numbers.js";
import {clipped} from "../../web/text.js";

import {inlined, unnamed} from "./tree.js";

const kinds = ["", "event", "control group", "thread", "user", "kernel", "made at run time"];

export class Words {
  constructor(tree, data) {
    this.tree = tree;
    this.data = data;
  }

  // The unit of the node's event, where events are columns.
  unit(node) {
    const {units, countName, nanoseconds} = this.data;
    return units?.[this.tree.bases.indexOf(this.whole(node))] ?? {name: countName, nanoseconds};
  }
  amount(value, {name, nanoseconds}) {
    if (nanoseconds) return duration(value);
    if (value === 1 && name === "samples") return counted(value, "sample");
    const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 2;
    const text = value.toLocaleString("en-US", {maximumFractionDigits: digits});
    return name === "" ? text : `${text} ${name}`;
  }
  percent(part, whole) { return whole > 0 ? `${(100 * part / whole).toFixed(2)} %` : "0 %"; }

  // The picture's total, or the total of the event or thread.
  whole(node) { return this.tree.base(node); }
  wholeName(node) {
    const base = this.whole(node);
    return base === 0 || base === node ? "all" : this.tree.text(base);
  }

  // Lines of text: the name first.
  lines(node) {
    const {tree} = this, lines = [this.name(node)];
    if (node === 0 && tree.kind !== "graph") return [...lines, counted(tree.sampleCount(0), "sample")];
    lines.push(...this.amounts(node));
    if (tree.difference) lines.push(...this.differences(node));
    return [...lines, ...this.origin(node)];
  }

  name(node) {
    return node !== 0 && this.data.nameType !== "" ? `${this.data.nameType} ${this.tree.text(node)}`
                                                   : this.tree.text(node);
  }

  // The amount, and where it is not the same, the number of samples.
  both(value, samples, unit) {
    const isSame = !unit.nanoseconds && Math.abs(value - samples * this.tree.factor) < 1e-9 * samples;
    return isSame ? this.amount(value, unit) : `${this.amount(value, unit)}, ${counted(samples, "sample")}`;
  }

  amounts(node) {
    const {tree} = this, value = tree.value(node), whole = this.whole(node);
    const lines = [this.both(value, tree.sampleCount(node), this.unit(node))];
    if (node === 0) return lines;
    let shares = `${this.percent(value, tree.value(whole))} of ${this.wholeName(node)}`;
    const parent = tree.parent[node];
    if (parent !== whole && parent !== 0)
      shares += `, ${this.percent(value, tree.value(parent))} of ${clipped(tree.text(parent), 60)}`;
    lines.push(shares);
    if (tree.kind === "lanes") return [...lines, this.timeOf(node)];
    const self = this.self(node);
    if (self !== null) lines.push(`self: ${this.percent(self, tree.value(whole))} of ${this.wholeName(node)}`);
    return lines;
  }

  // The amount that was measured in the frame itself, if the picture shows it. A reversed stack begins with the
  // measured frame, and all others are callers.
  self(node) {
    const {tree} = this, base = this.whole(node);
    if (this.data.reversed) return node !== base && tree.parent[node] === base ? tree.value(node) : null;
    return tree.end[node] > node + 1 ? tree.selfValue(node) : null;
  }

  // The span of a chart's node, since the beginning of the chart.
  timeOf(node) {
    const all = this.tree.value(this.whole(node)), from = this.tree.left(node) * all;
    return `from ${duration(from)} to ${duration(from + this.tree.value(node))}`;
  }

  differences(node) {
    const {tree} = this, {shares, insignificant} = this.data.difference;
    const before = tree.measuredBefore(node), whole = this.whole(node);
    let text = `before: ${this.both(before, tree.samplesBeforeOf(node), this.unit(node))}`;
    if (node !== whole) text += `, ${this.percent(before, tree.measuredBefore(whole))} of ${this.wholeName(node)}`;
    if (shares && node === whole) return [text];
    const lines = [text, `change: ${shares ? this.changeOfShare(node, whole) : this.changeOfAmount(node)}`];
    if (tree.change[node] === insignificant) lines.push("the change may be chance");
    return lines;
  }
  changeOfShare(node, whole) {
    const {tree} = this;
    const before = (at) => ({samples: tree.samplesBeforeOf(at), value: tree.measuredBefore(at)});
    const after = (at) => ({samples: tree.sampleCount(at), value: tree.value(at)});
    const {delta, low, high} = changeOf(before(node), before(whole), after(node), after(whole));
    const points = (share) => signed(100 * share, 2);
    return `${points(delta)} percentage points, with 95 % from ${points(low)} to ${points(high)}${this.relative(node)}`;
  }
  changeOfAmount(node) {
    const delta = this.tree.value(node) - this.tree.measuredBefore(node);
    return `${delta < 0 ? "\u2212" : "+"}${this.amount(Math.abs(delta), this.unit(node))}${this.relative(node)}`;
  }
  relative(node) {
    const before = this.tree.valueBefore(node), after = this.tree.value(node);
    if (before === 0) return " (new)";
    return after === 0 ? " (vanished)" : ` (${signed(100 * (after - before) / before, 1)} %)`;
  }

  origin(node) {
    if (node === 0) return [];
    const [, , bits = 0, binary = 0, file = 0, line = 0, note = ""] = this.tree.frames[this.tree.frame[node]];
    const words = [], lines = [];
    if (bits & unnamed) words.push("no name known");
    if (kinds[bits & 7]) words.push(kinds[bits & 7]);
    if (bits & inlined) words.push("inlined");
    if (words.length) lines.push(words.join(", "));
    if (binary) lines.push(this.data.binaries[binary - 1]);
    if (file) lines.push(this.data.files[file - 1] + (line ? `:${line}` : ""));
    if (note) lines.push(note);
    return lines;
  }

  // The total of what a search has found.
  found({nodes, totals}) {
    if (nodes === 0) return "nothing matches";
    const parts = [];
    const share = ([base, total]) => total.value / this.tree.value(base);
    for (const [base, total] of [...totals].sort((a, b) => share(b) - share(a))) {
      const of = base === 0 ? "all" : clipped(this.tree.text(base), 60);
      parts.push(
        `${this.percent(total.value, this.tree.value(base))} of ${of} (${this.amount(total.value, this.unit(base))})`);
    }
    const more = parts.length > 4 ? `, and ${parts.length - 4} more` : "";
    return `matches: ${parts.slice(0, 4).join(", ")}${more}`;
  }
}

const signed = (number, digits) => `${number < 0 ? "\u2212" : "+"}${Math.abs(number).toFixed(digits)}`;

function duration(nanoseconds) {
  const [unit, size] = timeUnit(nanoseconds);
  return `${size === 1 ? Math.round(nanoseconds) : (nanoseconds / size).toPrecision(4)} ${unit}`;
}
