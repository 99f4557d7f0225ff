// Which samples are selected.
//
// A selection: {event, recording, thread, cpu, from, until, filter}. recording: its number, or null for all; thread:
// the number in the recording, or null; cpu: the number of the CPU, or null; from, until: nanoseconds since the start
// of the recording, or null for everything, including samples without a time. `kept`: by recording, the rows that a
// filter keeps, as bits; null for all.

export const nowhere = 0xffffffff;  // the time of a sample without a time

export function lowerBound(times, begin, end, time) {
  while (begin < end) {
    const middle = (begin + end) >>> 1;
    if (times[middle] < time) begin = middle + 1;
    else end = middle;
  }
  return begin;
}

export const isKept = (bits, row) => bits === null || (bits[row >> 3] >> (row & 7) & 1) === 1;

// Calls take(recording, thread, begin, end) for the rows of each thread in the range.
function forEachStretch(model, selection, take) {
  model.recordings.forEach((recording, number) => {
    if (selection.recording !== null && selection.recording !== number) return;
    recording.threads.forEach((thread, i) => {
      if (selection.thread !== null && selection.thread !== i) return;
      let {begin, end} = thread;
      if (selection.from !== null) {
        const place = (time) => lowerBound(recording.rows.time, thread.begin, thread.timedEnd, time / recording.unit);
        begin = place(selection.from), end = place(selection.until);
      }
      if (begin < end) take(number, i, begin, end);
    });
  });
}

// Calls take(row, recording number, thread number) for each selected row.
export function forEachRow(model, selection, kept, take) {
  forEachStretch(model, selection, (number, thread, begin, end) => {
    const {rows, cpus} = model.recordings[number], bits = kept ? kept[number] : null;
    const cpu = selection.cpu === null ? -1 : cpus.indexOf(selection.cpu);
    if (selection.cpu !== null && cpu < 0) return;
    for (let row = begin; row < end; ++row) {
      if (rows.event[row] !== selection.event || (cpu >= 0 && rows.cpu[row] !== cpu) || !isKept(bits, row)) continue;
      take(row, number, thread);
    }
  });
}

// Calls take({leaf, samples, value, number, thread, cpu, cgroup}) for the selected sums. These come from folded text
// and pprof profiles, and have no rows and times. thread: its number in the recording; cpu: its number; null: not
// known; cgroup: as in a row.
export function forEachSum(model, selection, kept, take) {
  if (selection.from !== null || kept) return;
  model.recordings.forEach(({rest, cpus}, number) => {
    if (selection.recording !== null && selection.recording !== number) return;
    for (let i = 0; i < rest.leaf.length; ++i) {
      const thread = rest.thread[i] > 0 ? rest.thread[i] - 1 : null,
            cpu = rest.cpu[i] > 0 ? cpus[rest.cpu[i] - 1] : null;
      if (rest.event[i] !== selection.event || (selection.thread !== null && selection.thread !== thread) ||
        (selection.cpu !== null && selection.cpu !== cpu))
        continue;
      take({
        leaf: rest.leaf[i],
        samples: rest.samples[i],
        value: rest.value[i],
        number,
        thread,
        cpu,
        cgroup: rest.cgroup[i]
      });
    }
  });
}

// The amounts of a selection in `count` equal parts of the whole time. The selected range is ignored.
export function amountsOverTime(model, selection, kept, unit, count) {
  const bins = new Float64Array(count), width = Math.max(1, model.length + 1) / count;
  forEachRow(model, {...selection, from: 0, until: Infinity}, kept, (row, number) => {
    const {rows, unit: nanoseconds} = model.recordings[number];
    bins[Math.floor(rows.time[row] * nanoseconds / width)] += unit === "samples" ? 1 : rows.value[row];
  });
  return bins;
}
