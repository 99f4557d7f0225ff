// The selection as a filter expression, in which other commands take it.

// A name in an expression. The page has control characters in their escaped form only, so * stands for each.
export const quotedName = (name) =>
  `"${name.replace(/\\(?:[nrt]|x[0-9a-f]{2})|["\\*?]/g, (part) => (part.length > 1 ? "*" : `\\${part}`))}"`;
const shellWord = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`);

// An event is also found by its name without modifiers: cycles for cycles:u.
function eventTerms(events, event) {
  const others = events.filter((name) => name.startsWith(`${events[event]}:`));
  return [`event == ${quotedName(events[event])}`, ...others.map((name) => `event != ${quotedName(name)}`)];
}

// The expression that keeps the selected samples of a recording. Times are times of the recording, in the page's unit.
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

// The selected recording. null: several recordings.
export function onlyRecording(app) { return app.model.recordings.length === 1 ? 0 : app.state.recording; }

// A command that writes the selection, or an empty text if no command can. The options of the page's run also belong to
// the command: they keep only a part of the recording, and say where the names in filters come from.
export function commandOf(app, command) {
  const number = onlyRecording(app), recording = app.model.recordings[number];
  if (!recording?.isReread) return "";
  const expression = expressionOf(app.model, app.state, number);
  const filters = [...recording.shellFilters, ...(expression ? [shellWord(expression)] : [])];
  const words = [recording.shellPath, ...app.model.page.shellNaming, ...filters.map((filter) => `--filter ${filter}`)];
  return `perfsift ${command} ${words.join(" ")}`;
}
