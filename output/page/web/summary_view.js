// Facts about the recording, limits of its quality, and the command that made the page.

import {element} from "../../web/html.js";
import {durationText, grouped, shareText} from "../../web/numbers.js";
import {clipped} from "../../web/text.js";

import {commandOf} from "./expression.js";
import {sumOf} from "./trees.js";

export class SummaryView {
  constructor(app) {
    this.app = app;
    this.title = "Summary";
    this.body = element("div", {class: "summary"});
    this.place = element("div", {class: "view"}, this.body);
  }
  update() {
    const {app} = this, {model, state, amounts} = app;
    const facts = (rows) => element("table", {class: "facts"},
      ...rows.map(([label, text]) => element("tr", {}, element("td", {}, label), element("td", {}, text))));
    const all = amounts.total(0, state.unit);
    const selected = facts([
      ["what", app.describe(state)], ["event", model.events[state.event] ?? ""],
      ["samples", grouped.format(amounts.total(0, "samples"))],
      ...(model.page.periods
          ? [[app.isClock() ? "time" : "periods", app.amountText(amounts.total(0, "value"), "value")]]
          : []),
      ["functions", grouped.format(functionCount(app))]
    ]);
    const recordings = model.recordings.map(
      (recording, number) => element("section", {},
        element(
          "h2", {class: "name"}, model.recordings.length > 1 ? `${number + 1}: ${recording.name}` : recording.name),
        facts([
          ...recording.facts, ["samples", grouped.format(recording.rows.leaf.length + sumOf(recording.rest.samples))],
          ["threads", grouped.format(recording.threads.length)],
          ["duration", recording.length > 0 ? durationText(recording.length) : "not known"]
        ]),
        element("h2", {}, "Quality"), qualityList(recording)));
    const hot = topFunctions(app, all), command = commandOf(app, "filter -o selected.data");
    this.body.replaceChildren(
      element("section", {}, element("h2", {}, "Selected"), selected,
        ...(command
            ? [element("h3", {}, "The same samples as a recording"), element("code", {class: "command"}, command)]
            : [])),
      ...recordings, element("section", {}, element("h2", {}, "Most samples of their own"), hot),
      element("section", {}, element("h2", {}, "Made by"), element("code", {class: "command"}, model.page.command),
        element("p", {class: "quiet"}, `perfsift ${model.page.version}`)));
  }
  resized() {}
}

function functionCount({model, amounts, state}) {
  return amounts.functions(state.unit)
    .total.reduce((count, amount, frame) => count + (amount > 0 && !model.isThread(frame) ? 1 : 0), 0);
}

function qualityList(recording) {
  if (recording.quality.length === 0)
    return element("p", {class: "quiet"}, "Nothing was lost, cut, or left without a name.");
  return element("ul", {}, ...recording.quality.map((sentence) => element("li", {}, sentence)));
}

function topFunctions(app, all) {
  const {self} = app.amounts.functions(app.state.unit),
        frames = Array.from(self.keys()).filter((frame) => self[frame] > 0 && !app.model.isThread(frame));
  frames.sort((a, b) => self[b] - self[a] || a - b);
  return element("table", {class: "facts"},
    ...frames.slice(0, 12).map(
      (frame) => element("tr", {}, element("td", {class: "number"}, shareText(self[frame] / all)),
        element("td", {}, clipped(app.model.names[frame], 200)))));
}
