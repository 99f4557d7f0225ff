// Numbers as texts.

export const grouped = new Intl.NumberFormat("en-US");

export function shareText(share) {
  if (!Number.isFinite(share)) return "–";
  const percent = 100 * share;
  return `${percent.toFixed(Math.abs(percent) >= 99.95 ? 0 : 1)} %`;
}

// The name and the nanoseconds of the unit in which a time is shown.
export function timeUnit(nanoseconds) {
  return [["s", 1e9], ["ms", 1e6], ["µs", 1e3]].find(([, size]) => Math.abs(nanoseconds) >= size) ?? ["ns", 1];
}

// 1.25 s, 310 ms, 12.5 µs
export function durationText(nanoseconds) {
  const [unit, size] = timeUnit(nanoseconds), number = nanoseconds / size, tall = Math.abs(number);
  return `${number.toFixed(size === 1 || tall >= 100 ? 0 : tall >= 10 ? 1 : 2)} ${unit}`;
}

// Seconds with enough digits for `step`.
export function secondsText(nanoseconds, step) {
  const digits = Math.min(9, Math.max(0, Math.ceil(9 - Math.log10(step))));
  return (nanoseconds / 1e9).toFixed(digits);
}

export function countText(number) {
  if (Math.abs(number) < 1e6) return grouped.format(Math.round(number));
  for (const [unit, divisor] of [["T", 1e12], ["G", 1e9], ["M", 1e6]]) {
    if (Math.abs(number) >= divisor) return `${(number / divisor).toFixed(2)} ${unit}`;
  }
  return String(number);
}

// "1 sample", "2 samples"
export const counted = (number, noun) => `${grouped.format(number)} ${noun}${number === 1 ? "" : "s"}`;

// The ends of a range in seconds, with enough digits to differ.
export function rangeTexts({from, until}, most = 1e6) {
  const step = Math.max(1, Math.min(most, (until - from) / 10));
  return [secondsText(from, step), secondsText(until, step)];
}

export const fileName = (path) => path.slice(path.lastIndexOf("/") + 1) || path;
