// Saves the selection as files: folded stacks and a picture. A server also saves a picture that zooms, a profile, and a
// part of the recording.

import {element} from "../../web/html.js";
import {download, downloadSvg} from "../../web/save.js";

import {isLive} from "./columns.js";
import {option} from "./dom.js";
import {drawnFlameGraph} from "./drawing.js";
import {expressionOf, onlyRecording} from "./expression.js";
import {ask, whyRefused} from "./live.js";

// A comparison has the amounts of both selections, in the form of perfsift diff --folded and difffolded.pl.
function foldedText({model, amounts, base, state}) {
  const lines = [], path = [];
  for (let node = 1; node < model.size; ++node) {
    for (; path.length > 0 && model.end[path.at(-1)] <= node; path.pop())
      ;
    path.push(node);
    const all = (base ? [base, amounts] : [amounts]).map((side) => side.self(node, state.unit));
    if (all.some((self) => self > 0))
      lines.push(`${path.map((at) => model.names[model.frame[at]]).join(";")} ${all.join(" ")}\n`);
  }
  return lines.join("");
}

async function saveFromServer(app, format) {
  const {state, model, base} = app, number = onlyRecording(app);
  if (number === null) return app.tell("select one recording: a file is of one");
  app.tell("saving …");
  const unit = state.unit === "samples" ? "samples" : app.isClock() ? "time" : "periods";
  const answer = await ask("save", {as: format, recording: number, unit, filter: expressionOf(model, state, number),
                                    ...(format === "svg" ? looksOfPicture(state) : {})});
  if (!answer.ok) return app.tell((await answer.json()).error);
  const name = format === "pprof" ? "selected.pb.gz" : `selected.${format}`;
  download(await answer.arrayBuffer(), "application/octet-stream", name);
  app.tell(`saved ${name}${base ? `, not compared: ${app.describe(state)}` : ""}`);
}

// The settings of the view that the server's picture also has: all except a zoom and a comparison.
function looksOfPicture({shape, palette, search, upwards}) {
  const isPattern = search.length > 1 && search.startsWith("/");
  return {
    shape,
    palette,
    upwards: upwards ? "1" : "0",
    search: isPattern ? search.slice(1).replace(/(.)\/$/, "$1") : search.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  };
}

// The formats and the functions that save them.
function savings(app) {
  const both = app.base ? ", before and now" : "", one = app.base ? ", now only" : "";
  const ofPage = {
    folded: [`folded stacks${both}`, () => download(foldedText(app), "text/plain", "selected.folded")],
    seen: ["flame graph as it is seen (SVG)", () => downloadSvg(drawnFlameGraph(app))],
  };
  const ofServer = isLive() && app.model.recordings.some((recording) => recording.isReread) ? {
    ...(Object.hasOwn(app.model.groups, app.state.shape)
        ? {}
        : {svg: [`flame graph that zooms (SVG)${one}`, () => saveFromServer(app, "svg")]}),
    pprof: [`pprof profile${one}`, () => saveFromServer(app, "pprof")],
    data: [`perf.data${one}`, () => saveFromServer(app, "data")],
  }
        : {};
  return {...ofPage, ...ofServer};
}

export function saveMenu(app) {
  const menu = element("select", {
    class: "save",
    "aria-label": "Save what is selected",
    title: "Save what is selected",
    onchange: async () => {
      const [, save] = savings(app)[menu.value];
      menu.value = "";
      try {
        await save();
      } catch (error) {
        app.tell(whyRefused(error));
      }
    }
  });
  return menu;
}
export function fillSaveMenu(app, menu) {
  menu.replaceChildren(
    option("", "Save…"), ...Object.entries(savings(app)).map(([name, [text]]) => option(name, text)));
}
