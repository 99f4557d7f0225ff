// The selection in the words of other commands: a filter expression.

const quoted = (text) => `"${text.replace(/[\\*?"[\]]/g, "\\$&")}"`;
const shellWord = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`);

// Keeps the selected samples of a recording. Times are those of the recording, in the unit in which the page has them.
function expressionOf(model, selection, number) {
  const recording = model.recordings[number], parts = [];
  if (model.events.length > 1) parts.push(`event == ${quoted(model.events[selection.event])}`);
  if (selection.thread !== null) {
    const thread = recording.threads[selection.thread];
    parts.push(`pid == ${thread.pid}`, `tid == ${thread.tid}`);
  }
  if (selection.cpu !== null) parts.push(`cpu == ${selection.cpu}`);
  if (selection.from !== null) {
    const time = (nanoseconds) => recording.first + BigInt(Math.ceil(nanoseconds / recording.unit) * recording.unit);
    parts.push(`time >= ${time(selection.from)}`, `time < ${time(selection.until)}`);
  }
  if (selection.filter) parts.push(parts.length > 0 ? `(${selection.filter})` : selection.filter);
  return parts.join(" && ");
}

// The recording that is selected; null: there are several.
function onlyRecording(app) {
  return app.model.recordings.length === 1 ? 0 : app.state.recording;
}

// A command that writes what is selected; empty where no command can.
function commandOf(app, command) {
  const number = onlyRecording(app);
  if (number === null || !app.model.hasTimes) return "";
  const expression = expressionOf(app.model, app.state, number);
  return `perfsift ${command} ${shellWord(app.model.recordings[number].name)}${expression ? ` --filter ${shellWord(expression)}` : ""}`;
}
