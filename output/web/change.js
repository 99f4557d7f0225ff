// The change of a share, by the same formulas as analysis/comparison/change.h: Newcombe's interval from Wilson's
// intervals, and no significance with fewer than 5 samples. Pages compute changes of any selection without a server.
// tests/browser/page.py compares both. Amounts: {samples, value}. all: the amounts of the whole selections.
export function changeOf(before, allBefore, now, all) {
  const weightOf = (part, whole) =>
    (part.samples > 0 && whole.value > 0 ? part.value / whole.value / (part.samples / whole.samples) : null);
  const weights = [weightOf(before, allBefore), weightOf(now, all)];
  const estimate = (part, whole, weight) => {
    const {share, low, high} = wilson(part.samples, whole.samples);
    return {share: share * weight, low: low * weight, high: Math.max(Math.min(high * weight, 1), share * weight)};
  };
  const a = estimate(before, allBefore, weights[0] ?? weights[1] ?? 1),
        b = estimate(now, all, weights[1] ?? weights[0] ?? 1);
  const delta = b.share - a.share;
  const low = delta - Math.hypot(b.share - b.low, a.high - a.share),
        high = delta + Math.hypot(b.high - b.share, a.share - a.low);
  return {
    before: a.share,
    now: b.share,
    delta,
    low,
    high,
    oneSample: all.samples > 0 ? 1 / all.samples : 0,
    isSure: (low > 0 || high < 0) && before.samples + now.samples >= 5
  };
}

function wilson(some, all) {
  if (all <= 0) return {share: 0, low: 0, high: 0};
  const z = 1.959963984540054, middle = (some + z * z / 2) / (all + z * z);
  const radius = z / (all + z * z) * Math.sqrt(some * (all - some) / all + z * z / 4);
  return {
    share: some / all,
    low: some > 0 ? Math.max(middle - radius, 0) : 0,
    high: some < all ? Math.min(middle + radius, 1) : 1
  };
}
