// The recorded data: functions, the tree of their calls, and the samples, as arrays.
//
// Nodes of the tree are numbered so that a subtree is a range of numbers: see analysis/profile/call_tree.h. The root is
// 0.

import {clipped} from "../../web/text.js";
import {subtrees} from "../../web/tree.js";

import {readColumn} from "./columns.js";

export class Model {
  constructor(data) {
    const size = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
    const page = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + size)));
    const bytes = data.subarray(4 + size);
    const read = (columns) =>
      Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, readColumn(bytes, column)]));
    this.page = page;
    this.events = page.events;
    this.files = page.files;
    const frames = read(page.frames);
    this.frameCount = frames.name.length;
    this.names = Array.from(frames.name, (name) => page.names[name]);
    this.binaries = Array.from(frames.binary, (binary) => page.binaries[binary]);
    this.kinds = Array.from(frames.kind, (kind) => page.kinds[kind >> 1]);
    // Folded text does not have the kinds. Its frames count as user functions, unless their names begin with [ or -.
    this.kinds =
      this.kinds.map((kind, frame) => (kind === "other" && !/^[[-]/.test(this.names[frame]) ? "user" : kind));
    this.inlined = Array.from(frames.kind, (kind) => (kind & 1) === 1);
    this.readTree(read(page.nodes));
    this.leaves = read(page.leaves);
    this.recordings = page.recordings.map((recording) => ({
      ...recording,
      first: BigInt(recording.first),
      length: recording.duration * recording.unit,
      rows: read(recording.rows),
      rest: read(recording.rest),
      waits: recording.waits ? read(recording.waits) : null,  // intervals in which threads were off their CPU
      waitingThreads: (recording.waitingThreads ?? []).map(([pid, tid, comm, unknown]) => ({pid, tid, comm, unknown})),
      threads:
        recording.threads.map(([pid, tid, comm, begin, timedEnd, end]) => ({pid, tid, comm, begin, timedEnd, end})),
    }));
    this.length = Math.max(0, ...this.recordings.map((recording) => recording.length));
    this.hasTimes =
      this.recordings.some((recording) => recording.threads.some((thread) => thread.timedEnd > thread.begin));
  }

  readTree({frame, depth}) {
    const size = this.size = frame.length + 1;
    this.frame = new Int32Array(size).fill(-1);
    this.frame.set(frame, 1);
    Object.assign(this, subtrees(size, (node) => (node === 0 ? 0 : depth[node - 1])));
  }

  isThread(frame) { return frame >= 0 && (this.kinds[frame] === "thread" || this.kinds[frame] === "cgroup"); }

  // The nodes of a function that are not below another node of the function. So recursive calls count once.
  outermostNodes(frame) {
    const nodes = [];
    for (let node = 1, end = 0; node < this.size; ++node) {
      if (this.frame[node] === frame && node >= end) nodes.push(node), end = this.end[node];
    }
    return nodes;
  }
}

export function threadName(thread) {
  const name = clipped(thread.comm || "[no name]", 60);
  if (thread.tid < 0) return name;
  return thread.pid < 0 || thread.pid === thread.tid ? `${name} ${thread.tid}` : `${name} ${thread.pid}/${thread.tid}`;
}
