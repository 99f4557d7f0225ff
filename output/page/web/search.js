// Which functions a text or /pattern/ finds.

class Search {
  constructor(model) {
    Object.assign(this, {model, text: "", found: null, error: ""});
  }
  set(text) {
    if (text === this.text) return;
    this.text = text;
    this.error = "";
    this.found = text === "" ? null : this.find(text);
  }
  find(text) {
    const found = new Uint8Array(this.model.frameCount);
    const test = this.tester(text);
    if (test) this.model.names.forEach((name, frame) => { found[frame] = test(name) ? 1 : 0; });
    return found;
  }
  tester(text) {
    const pattern = text.length > 1 && text.startsWith("/") ? text.slice(1, text.endsWith("/") && text.length > 2 ? -1 : undefined) : null;
    if (pattern === null) {
      const isExact = text !== text.toLowerCase();  // capitals count where there are some
      return (name) => (isExact ? name : name.toLowerCase()).includes(text);
    }
    try {
      const expression = new RegExp(pattern, pattern === pattern.toLowerCase() ? "i" : "");
      return (name) => expression.test(clipped(name, 4000));
    } catch (error) {
      this.error = "not a pattern: " + error.message.replace(/^Invalid regular expression: /, "");
      return null;
    }
  }
  matches(frame) { return this.found !== null && frame >= 0 && this.found[frame] === 1; }

  // Of the stacks with a found function.
  total(amounts, unit) {
    const {model} = this;
    let total = 0;
    for (let node = 1; node < model.size;) {
      if (this.found[model.frame[node]] === 1) total += amounts.total(node, unit), node = model.end[node];
      else ++node;
    }
    return total;
  }
}
