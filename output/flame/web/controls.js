// The pointer, the keyboard, the search, the link and the file of a picture.

import {element} from "../../web/html.js";
import {downloadSvg} from "../../web/save.js";
import {patternTest, textTest} from "../../web/search.js";
import {svgElement} from "../../web/svg.js";
import {clipped, textThatFits} from "../../web/text.js";
import {besidePointer} from "../../web/tip.js";

import {Words} from "./words.js";

const help = [
  ["click, Enter", "zoom to the frame; on a caller: zoom out to it"],
  ["Esc, double click on the background", "whole picture; again: no search"],
  ["arrows", "to the caller, the widest call, the neighbours"],
  ["/", "search by regular expression; capital letters in it make case matter"],
  ["Page up, down", "to the thread above or below (in charts)"],
  ["n, Shift+n", "next and previous match"],
  ["i", "turn upside down"],
  ["the address", "keeps zoom and search: a link to what is seen"],
  ["?", "this help"],
];

export class Controls {
  constructor(picture) {
    this.picture = picture;
    this.svg = picture.svg;
    this.words = new Words(picture.tree, picture.data);
    this.focused = null;
    this.standalone = document.documentElement === this.svg;
    this.makeBar();
    this.makeTip();
    this.makeAccessible();
    this.listen();
    this.follow();
    this.scrollToRoot();
  }

  // ---- elements

  // The head stays in sight when the picture is scrolled.
  makeBar() {
    this.head = svgElement("g", {class: "head"}, this.svg);
    this.ground = svgElement("rect", {class: "paper", width: "100%"}, this.head);
    this.head.append(...this.svg.querySelectorAll("svg > .title, svg > .subtitle, svg > .status"));
    this.barBox = svgElement("foreignObject", {class: "bar-box", y: 8, height: 30}, this.head);
    this.input = element("input", {
      type: "search",
      placeholder: "Search (regular expression)",
      "aria-label": "Search by regular expression",
      spellcheck: "false",
      autocomplete: "off",
    });
    const button = (text, title, onclick) => element("button", {type: "button", title, onclick}, text);
    this.resetButton = button("Reset zoom", "Show the whole picture (Esc)", () => this.go(0));
    this.barBox.append(element("div", {class: "bar", role: "search"}, this.input, this.resetButton,
      button("Flip", "Turn upside down (i)", () => this.flip()),
      button("Save", "Save what is seen as an SVG without scripts", () => downloadSvg(this.picture.still())),
      button("?", "Keys", () => this.toggleHelp())));
    this.status = this.svg.querySelector(".status");
    const follow = () =>
      this.head.setAttribute("transform", `translate(0 ${Math.max(0, -this.svg.getBoundingClientRect().top)})`);
    window.addEventListener("scroll", follow, {passive: true});
  }

  makeTip() {
    const box = (name, content) => {
      const made = svgElement("foreignObject", {class: name, visibility: "hidden", width: 10, height: 10}, this.svg);
      made.append(content);
      return made;
    };
    this.tip = element("div", {class: "tip"});
    this.tipBox = box("tip-box", this.tip);
    const keys = help.flatMap(([key, meaning]) => [element("dt", {}, key), element("dd", {}, meaning)]);
    const panel = element("div", {class: "help", role: "dialog", "aria-label": "Keys"}, element("dl", {}, ...keys));
    this.helpBox = box("help-box", panel);
  }

  makeAccessible() {
    const {group} = this.picture;
    group.setAttribute("tabindex", "0");
    group.setAttribute("role", "application");
    group.setAttribute("aria-roledescription", "flame graph");
    group.setAttribute("aria-label", "Frames: arrows move, Enter zooms, slash searches, question mark shows the keys");
    this.status.setAttribute("role", "status");
    // In a page, the title of the picture would show up as a tooltip everywhere.
    const title = this.svg.querySelector("title");
    if (this.standalone || title === null) return;
    this.svg.setAttribute("aria-label", title.textContent);
    this.svg.removeAttribute("aria-labelledby");
    title.remove();
  }

  // ---- events

  listen() {
    const {svg, picture} = this, {group} = picture;
    svg.addEventListener("mousemove", (event) => this.point(event));
    svg.addEventListener("mouseleave", () => this.leave());
    svg.addEventListener("click", (event) => this.click(event));
    svg.addEventListener("dblclick", (event) => {
      if (this.boxOf(event) === null && !this.isControl(event.target)) this.go(0);
    });
    group.addEventListener("focus", () => this.focusOn(this.focusable()));
    group.addEventListener("blur", () => picture.outline(picture.focus, null));
    document.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("input", () => this.search(this.input.value));
    window.addEventListener("hashchange", () => this.follow());
    let width = 0;
    window.addEventListener("resize", () => {
      if (this.width() !== width) this.draw();
      width = this.width();
    });
  }

  isControl(target) { return target instanceof Element && target.closest("foreignObject, .head") !== null; }

  position(event) {
    const box = this.svg.getBoundingClientRect();
    const scale = this.picture.pictureWidth / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  }
  boxOf(event) { return this.isControl(event.target) ? null : this.picture.boxAt(...this.position(event)); }

  point(event) {
    const box = this.boxOf(event);
    if (box === null) return this.leave();
    if (box !== this.pointed) {
      this.pointed = box;
      this.picture.outline(this.picture.hover, box);
      this.fillTip(box.item.node);
    }
    this.moveTip(...this.position(event));
  }
  leave() {
    this.pointed = null;
    this.picture.outline(this.picture.hover, null);
    this.tipBox.setAttribute("visibility", "hidden");
  }

  click(event) {
    const box = this.boxOf(event);
    if (box === null || event.detail > 1) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    this.focused = box.item.node;
    this.go(box.item.node);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === this.input) {
      if (event.key !== "Escape" && event.key !== "Enter") return;
      event.preventDefault();
      if (event.key === "Escape") this.find("");
      this.picture.group.focus();
      return;
    }
    if (this.isControl(event.target) && event.key !== "Escape") return;
    const action = this.actions()[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  }
  actions() {
    const up = () => this.step(true), down = () => this.step(false);
    return {
      "/": () => this.input.focus(),
      "?": () => this.toggleHelp(),
      "Escape": () => this.escape(),
      "Enter": () => this.focused !== null && this.go(this.focused),
      " ": () => this.focused !== null && this.go(this.focused),
      "ArrowUp": this.picture.inverted ? down : up,
      "ArrowDown": this.picture.inverted ? up : down,
      "ArrowLeft": () => this.stepAside(-1),
      "ArrowRight": () => this.stepAside(1),
      "PageUp": () => this.stepLane(-1),
      "PageDown": () => this.stepLane(1),
      "Home": () => this.focusOn(this.picture.zoomed),
      "n": () => this.stepMatch(1),
      "N": () => this.stepMatch(-1),
      "i": () => this.flip(),
    };
  }

  escape() {
    if (this.helpBox.getAttribute("visibility") === "visible") return this.toggleHelp();
    if (this.picture.zoomed !== 0) return this.go(0);
    this.find("");
  }

  // ---- focus

  focusOn(node) {
    if (node === null || node === undefined) return;
    const box = this.picture.boxOf(node);
    if (box === null) return;
    this.focused = node;
    this.picture.outline(this.picture.focus, box);
    this.say(this.words.lines(node).join(" · "));
    this.picture.focus.scrollIntoView({block: "nearest", inline: "nearest"});
  }
  // The focused frame if it is drawn, or what comes nearest. The root of lanes is never drawn.
  focusable() {
    const {picture} = this;
    for (const node of [this.focused, picture.zoomed]) {
      if (node !== null && picture.boxOf(node) !== null) return node;
    }
    return picture.rows.find((row) => row !== undefined)?.[0].item.node;
  }
  // Moves to another thread of a chart.
  stepLane(direction) {
    const {tree} = this.picture, node = this.focusable();
    if (tree.kind === "lanes" && node !== undefined)
      this.focusOn(tree.bases[tree.bases.indexOf(tree.base(node)) + direction]);
  }
  // Moves to the widest call of the focused frame, or to its caller.
  step(deeper) {
    const {tree} = this.picture, node = this.focusable();
    if (node !== undefined) this.focusOn(deeper ? tree.widestChild(node) : tree.parent[node]);
  }
  stepAside(direction) {
    const box = this.picture.boxOf(this.focusable());
    if (box === null) return;
    const row = this.picture.rows[box.depth];
    this.focusOn(row[row.indexOf(box) + direction]?.item.node);
  }
  // Moves to the next match that is drawn, row by row.
  stepMatch(direction) {
    const {picture} = this;
    if (picture.found === null) return;
    const {frames} = picture.found;
    const nodes = picture.rows.flatMap((row) => row ?? [])
                    .map(({item}) => item.node)
                    .filter((node) => frames[picture.tree.frame[node]]);
    if (nodes.length === 0) return;
    const at = nodes.indexOf(this.focused);
    const next = at < 0 ? (direction > 0 ? 0 : nodes.length - 1) : (at + direction + nodes.length) % nodes.length;
    picture.group.focus();
    this.focusOn(nodes[next]);
  }

  // ---- what is shown

  // Zooms; the step can be taken back in the browser.
  go(node) {
    if (node === this.picture.zoomed) return;
    this.picture.zoomed = node;
    this.keep(true);
    this.draw();
  }
  find(text) {
    this.input.value = text;
    this.search(text);
  }
  search(text) {
    const {picture} = this;
    this.pattern = "";
    picture.found = null;
    let problem = "";
    if (text !== "") {
      try {
        picture.found = found(picture.tree, text);
        this.pattern = text;
      } catch (error) {
        problem = error.message;
      }
    }
    this.input.setAttribute("aria-invalid", String(problem !== ""));
    this.keep(false);
    this.draw();
    if (problem !== "") this.say(problem);
  }
  flip() {
    this.picture.inverted = !this.picture.inverted;
    this.keep(false);
    this.draw();
  }

  width() {
    if (this.picture.data.width > 0) return this.picture.data.width;
    const around =
      this.standalone ? document.documentElement.clientWidth || window.innerWidth : this.svg.parentNode.clientWidth;
    return Math.max(around, 320);
  }
  draw() {
    const {picture} = this;
    picture.draw(this.width());
    const bar = picture.barWidth;
    this.barBox.setAttribute("x", picture.isNarrow ? 10 : picture.pictureWidth - bar - 10);
    this.barBox.setAttribute("y", picture.isNarrow ? picture.headHeight - 2 : 8);
    this.status.setAttribute("y", picture.headHeight - 12);
    this.ground.setAttribute("height", picture.top - 4);
    this.barBox.setAttribute("width", bar);
    this.resetButton.disabled = picture.zoomed === 0;
    this.tell();
    this.leave();
    if (document.activeElement === picture.group) this.focusOn(this.focusable());
  }
  // Shows the zoomed frame and what was found.
  tell() {
    const {picture} = this, parts = [];
    if (picture.found !== null) parts.push(this.words.found(picture.found));
    if (picture.zoomed !== 0) parts.push(this.words.lines(picture.zoomed).slice(0, 3).join(" · "));
    this.say(parts.join("   |   "));
  }
  say(text) { this.status.textContent = textThatFits(text, this.picture.size, this.picture.measure); }

  fillTip(node) {
    const lines = this.words.lines(node).map((line) => clipped(line, 600));
    this.tip.replaceChildren(
      ...lines.map((line, number) => element("div", {class: number === 0 ? "name" : "line"}, line)));
    this.tipBox.setAttribute("width", Math.min(480, this.picture.size));
    this.tipBox.setAttribute("height", 2000);
    this.tipSize = this.tip.getBoundingClientRect();
  }
  // Beside the pointer, inside of what is seen.
  moveTip(x, y) {
    const {tipSize} = this, box = this.svg.getBoundingClientRect();
    const scale = box.width / this.picture.pictureWidth;
    const width = tipSize.width / scale, height = tipSize.height / scale, right = this.picture.pictureWidth;
    const bottom = Math.min((window.innerHeight - box.top) / scale, this.picture.height);
    const place = besidePointer(x, y, {width, height}, {top: -box.top / scale, right, bottom});
    this.tipBox.setAttribute("x", place.x);
    this.tipBox.setAttribute("y", place.y);
    this.tipBox.setAttribute("height", height + 4);
    this.tipBox.setAttribute("visibility", "visible");
  }

  toggleHelp() {
    const shown = this.helpBox.getAttribute("visibility") === "visible";
    const {pictureWidth, headHeight, height} = this.picture;
    this.helpBox.setAttribute("x", Math.max(pictureWidth - 490, 10));
    this.helpBox.setAttribute("y", this.picture.isNarrow ? headHeight + 30 : 42);
    this.helpBox.setAttribute("width", Math.min(480, pictureWidth - 20));
    this.helpBox.setAttribute("height", Math.max(height - 42, 260));
    this.helpBox.setAttribute("visibility", shown ? "hidden" : "visible");
  }

  // ---- the link

  // Writes what is seen into the address.
  keep(asStep) {
    const {picture} = this, parts = new URLSearchParams();
    if (picture.zoomed !== 0) parts.set("zoom", picture.zoomed);
    if (this.pattern) parts.set("search", this.pattern);
    if (picture.inverted !== picture.data.inverted) parts.set("flip", "1");
    const hash = `#${parts}`;
    if (hash === (location.hash || "#")) return;
    // A document without an address of its own has no history.
    try {
      history[asStep ? "pushState" : "replaceState"](null, "", hash);
    } catch {
      location.replace(hash);
    }
  }
  // Shows what the address says.
  follow() {
    const {picture} = this, parts = new URLSearchParams(location.hash.slice(1));
    const zoomed = Number(parts.get("zoom") ?? 0);
    picture.zoomed = Number.isInteger(zoomed) && zoomed > 0 && zoomed < picture.tree.size ? zoomed : 0;
    picture.inverted = parts.has("flip") ? !picture.data.inverted : picture.data.inverted;
    this.find(parts.get("search") ?? (location.hash.length > 1 ? "" : picture.data.search));
  }
  // The root of a picture that is higher than the window is at the bottom.
  scrollToRoot() {
    if (!this.picture.inverted) window.scrollTo(0, document.documentElement.scrollHeight);
  }
}

// Searches for a regular expression, and then, if nothing is found, for the text: names of functions have brackets.
function found(tree, text) {
  const byPattern = tree.search(patternTest(text));
  if (byPattern.nodes > 0) return byPattern;
  const byText = tree.search(textTest(text));
  return byText.nodes > 0 ? byText : byPattern;
}
