// Files of what is selected: folded stacks, and from the server a picture, a profile, and the recording itself, cut.

function foldedText({model, amounts, state}) {
  const lines = [], path = [];
  for (let node = 1; node < model.size; ++node) {
    for (; path.length > 0 && model.end[path.at(-1)] <= node; path.pop());
    path.push(node);
    const self = amounts.self(node, state.unit);
    if (self > 0) lines.push(`${path.map((at) => model.names[model.frame[at]]).join(";")} ${self}\n`);
  }
  return lines.join("");
}

function download(content, type, name) {
  const link = element("a", {href: URL.createObjectURL(new Blob([content], {type})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function saveFromServer(app, format) {
  const number = onlyRecording(app);
  if (number === null) return app.tell("select one recording: a file is of one");
  app.tell("saving …");
  const unit = app.state.unit === "samples" ? "samples" : app.isClock() ? "time" : "periods";
  const answer = await ask("save", {as: format, recording: number, unit, filter: expressionOf(app.model, app.state, number)});
  if (!answer.ok) return app.tell((await answer.json()).error);
  const name = format === "pprof" ? "selected.pb.gz" : `selected.${format}`;
  download(await answer.arrayBuffer(), "application/octet-stream", name);
  app.tell(`saved ${name}`);
}

// The formats and what saves them.
function savings(app) {
  const isFolded = {folded: ["folded stacks", () => download(foldedText(app), "text/plain", "selected.folded")]};
  const ofServer = isLive() && app.model.hasTimes ? {
    svg: ["flame graph (SVG)", () => saveFromServer(app, "svg")],
    pprof: ["pprof profile", () => saveFromServer(app, "pprof")],
    data: ["perf.data", () => saveFromServer(app, "data")],
  } : {};
  return {...isFolded, ...ofServer};
}

function saveMenu(app) {
  const menu = element("select", {class: "save", "aria-label": "Save what is selected", title: "Save what is selected", onchange: async () => {
    const [, save] = savings(app)[menu.value];
    menu.value = "";
    try {
      await save();
    } catch (error) {
      app.tell(whyRefused(error));
    }
  }}, option("", "Save…"), ...Object.entries(savings(app)).map(([name, [text]]) => option(name, text)));
  return menu;
}
