// Finds the functions, and the boxes in front of them (see groups.js), that match a text or a /pattern/.

import {forEachOutermost, patternTest, textTest} from "../../web/search.js";

export class Search {
  constructor(model) { Object.assign(this, {model, text: "", found: null, isBelow: null, error: ""}); }
  set(text) {
    if (text === this.text) return;
    this.text = text;
    this.error = "";
    this.found = text === "" ? null : this.find(text);
    this.isBelow = null;
  }
  find(text) {
    const test = this.tester(text);
    return Uint8Array.from(this.model.names, (name) => (test?.(name) ? 1 : 0));
  }
  tester(text) {
    const pattern = text.length > 1 && text.startsWith("/")
      ? text.slice(1, text.endsWith("/") && text.length > 2 ? -1 : undefined)
      : null;
    if (pattern === null) return textTest(text);
    try {
      return patternTest(pattern);
    } catch (error) {
      this.error = "not a pattern: " + error.message.replace(/^Invalid regular expression: /, "");
      return null;
    }
  }
  matches(frame) { return this.found !== null && frame >= 0 && this.found[frame] === 1; }

  // The amount of the stacks with a found function. shape: groups are in front of the functions, and a found group
  // counts completely.
  total(amounts, unit, shape = null) {
    if (shape !== null) return this.totalOfGroups(amounts.grouped(shape), unit, this.model.groups[shape]);
    let total = 0;
    forEachOutermost(this.model, this.found, (node) => {
      total += amounts.total(node, unit);
    });
    return total;
  }
  totalOfGroups(grouped, unit, {frame, known}) {
    const {nodes} = grouped, sums = grouped[unit], isBelow = this.isBelow ??= this.nodesBelow();
    let total = 0;
    for (let group = 0; group <= known; ++group) {
      const [begin, end] = grouped.group(group);
      if (this.matches(frame + group)) {
        total += grouped.amount([begin, end], unit);
      } else {
        for (let i = begin; i < end; ++i) total += isBelow[nodes[i]] * (sums[i + 1] - sums[i]);
      }
    }
    return total;
  }
  // By node: 1 for found functions and all nodes below them.
  nodesBelow() {
    const isBelow = new Uint8Array(this.model.size);
    forEachOutermost(this.model, this.found, (node) => isBelow.fill(1, node, this.model.end[node]));
    return isBelow;
  }
}
