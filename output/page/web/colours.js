// The colours of boxes.
//
// Hues are calm, and far enough apart in lightness to be told apart without colours: kernel code is cool, user code is
// warm, code made at run time is green, and the frames of threads are grey.

const isDark = () => document.documentElement.classList.contains("dark");

function hashOf(text) {
  let hash = 2166136261;
  for (let i = 0; i < text.length && i < 200; ++i) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return (hash >>> 0) / 2 ** 32;
}

const hueOfKind = {user: [24, 26], kernel: [200, 20], jit: [140, 26], other: [30, 8]};

function kindColour(model, frame) {
  const kind = model.kinds[frame], hash = hashOf(model.names[frame]);
  if (kind === "thread" || kind === "cgroup" || kind === "event") return isDark() ? "#3a3e45" : "#dedad2";
  const [hue, range] = hueOfKind[kind] ?? hueOfKind.other;
  const saturation = (kind === "other" ? 22 : kind === "user" ? 68 : 42) - (model.inlined[frame] ? 18 : 0);
  return shade(hue + range * hash, saturation, hash);
}

function shade(hue, saturation, hash) {
  return isDark() ? `hsl(${hue.toFixed(0)} ${(saturation * 0.62).toFixed(0)}% ${(30 + 8 * hash).toFixed(0)}%)`
                  : `hsl(${hue.toFixed(0)} ${saturation}% ${(74 + 10 * hash).toFixed(0)}%)`;
}

function binaryColour(model, frame) {
  const binary = model.binaries[frame];
  if (!binary) return isDark() ? "#3a3e45" : "#dedad2";
  return shade(360 * hashOf(binary), 46, hashOf(model.names[frame]));
}

// Blue, sky, green, vermilion and grey, which colour-blind people can tell apart (Okabe and Ito), made lighter.
function safeColour(model, frame) {
  const colours = {user: [26, 100], kernel: [202, 100], jit: [164, 100], other: [45, 12]};
  const kind = model.kinds[frame];
  if (!colours[kind]) return isDark() ? "#3a3e45" : "#dedad2";
  const hash = hashOf(model.names[frame]), [hue, saturation] = colours[kind];
  return isDark() ? `hsl(${hue} ${saturation * 0.6}% ${24 + 9 * hash}%)` : `hsl(${hue} ${saturation * 0.8}% ${70 + 12 * hash}%)`;
}

const palettes = {kind: ["kind of code", kindColour], binary: ["binary", binaryColour], safe: ["colour-blind safe", safeColour]};

// The change of a share, as analysis/comparison/change.h has it: the interval of Newcombe, of Wilson's intervals, and
// nothing is sure with less than 5 samples. Amounts: {samples, value}; all: those of the whole selections.
function changeOf(before, allBefore, now, all) {
  const weightOf = (part, whole) => (part.samples > 0 && whole.value > 0 ? part.value / whole.value / (part.samples / whole.samples) : null);
  const weights = [weightOf(before, allBefore), weightOf(now, all)];
  const estimate = (part, whole, weight) => {
    const {share, low, high} = wilson(part.samples, whole.samples);
    return {share: share * weight, low: low * weight, high: Math.max(Math.min(high * weight, 1), share * weight)};
  };
  const a = estimate(before, allBefore, weights[0] ?? weights[1] ?? 1), b = estimate(now, all, weights[1] ?? weights[0] ?? 1);
  const delta = b.share - a.share;
  const low = delta - Math.hypot(b.share - b.low, a.high - a.share), high = delta + Math.hypot(b.high - b.share, a.share - a.low);
  return {before: a.share, now: b.share, delta, low, high, isSure: (low > 0 || high < 0) && before.samples + now.samples >= 5};
}

function wilson(some, all) {
  if (all <= 0) return {share: 0, low: 0, high: 0};
  const z = 1.959963984540054, middle = (some + z * z / 2) / (all + z * z);
  const radius = z / (all + z * z) * Math.sqrt(some * (all - some) / all + z * z / 4);
  return {share: some / all, low: some > 0 ? Math.max(middle - radius, 0) : 0, high: some < all ? Math.min(middle + radius, 1) : 1};
}

function changeColour(change) {
  if (!change.isSure || change.delta === 0) return isDark() ? "#33363b" : "#e6e3dd";
  const strength = Math.min(1, Math.abs(change.delta) / Math.max(change.before, change.now, 1e-9));
  const hue = change.delta > 0 ? 10 : 208;
  return isDark() ? `hsl(${hue} ${Math.round(30 + 35 * strength)}% ${Math.round(30 + 10 * strength)}%)`
                  : `hsl(${hue} ${Math.round(45 + 35 * strength)}% ${Math.round(88 - 20 * strength)}%)`;
}
