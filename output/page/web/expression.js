// The selection in the words of other commands: a filter expression.

// A name as an expression has it. The page has control characters in their escaped form only, so * stands for them.
export const quotedName = (name) =>
  `"${name.replace(/\\(?:[nrt]|x[0-9a-f]{2})|["\\*?]/g, (part) => (part.length > 1 ? "*" : `\\${part}`))}"`;
const shellWord = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`);

// An event is also found by its name without modifiers: cycles for cycles:u.
function eventTerms(events, event) {
  const others = events.filter((name) => name.startsWith(`${events[event]}:`));
  return [`event == ${quotedName(events[event])}`, ...others.map((name) => `event != ${quotedName(name)}`)];
}

// Keeps the selected samples of a recording. Times are those of the recording, in the unit in which the page has them.
export function expressionOf(model, selection, number) {
  const recording = model.recordings[number], parts = [];
  if (model.events.length > 1) parts.push(...eventTerms(model.events, selection.event));
  if (selection.thread !== null) {
    const thread = recording.threads[selection.thread];
    if (thread.pid >= 0) parts.push(`pid == ${thread.pid}`);
    parts.push(`tid == ${thread.tid}`);
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
export function onlyRecording(app) { return app.model.recordings.length === 1 ? 0 : app.state.recording; }

// A command that writes what is selected; empty where no command can. The options of the run that made the page keep
// only a part of the recording, too, and say where the names come from that filters are about.
export function commandOf(app, command) {
  const number = onlyRecording(app), recording = app.model.recordings[number];
  if (!recording?.isReread) return "";
  const expression = expressionOf(app.model, app.state, number);
  const filters = [...recording.shellFilters, ...(expression ? [shellWord(expression)] : [])];
  const words = [recording.shellPath, ...app.model.page.shellNaming, ...filters.map((filter) => `--filter ${filter}`)];
  return `perfsift ${command} ${words.join(" ")}`;
}
