// Numbers as texts.

// The name of the unit in which a time is told, and its nanoseconds.
export function timeUnit(nanoseconds) {
  return [["s", 1e9], ["ms", 1e6], ["µs", 1e3]].find(([, size]) => Math.abs(nanoseconds) >= size) ?? ["ns", 1];
}
