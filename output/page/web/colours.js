// The colours of boxes in flame graphs.

import {byId} from "./dom.js";

// Shades, as output/flame/palette_shades.h describes them.
const paletteShades = JSON.parse(byId("palettes").textContent);

export const isDark = () => document.documentElement.classList.contains("dark");
export const ofTheme = ([light, dark]) => (isDark() ? dark : light);

// Equals name_hash() in output/flame/palette.cpp.
const hashes = new Map();  // by text
function hashOf(text) {
  let hash = hashes.get(text);
  if (hash === undefined) {
    hash = 2166136261;
    for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 16777619);
    hash = (hash ^ hash >>> 15) >>> 0;
    hashes.set(text, hash);
  }
  return hash;
}

export function groupOf(model, frame) {
  const kind = model.kinds[frame];
  if (kind === "thread" || kind === "cgroup" || kind === "event") return "thread";
  return kind === "user" && model.inlined[frame] ? "inlined" : kind;
}

const shadeOf = (shades, model, frame) => ofTheme(shades[hashOf(model.names[frame]) % shades.length]);
const colourByKind = (kinds) => (model, frame) => shadeOf(kinds[groupOf(model, frame)], model, frame);

// Several binaries may have equal shades.
export function shadesOfBinary(binary) {
  const groups = paletteShades.binary, last = groups.length - 1;
  return groups[binary ? hashOf(binary.slice(binary.lastIndexOf("/") + 1)) % last : last];
}
const binaryColour = (model, frame) => shadeOf(shadesOfBinary(model.binaries[frame]), model, frame);

export const palettes = {
  kind: ["kind of code", colourByKind(paletteShades.kind)],
  binary: ["binary", binaryColour],
  safe: ["colour-blind safe", colourByKind(paletteShades.safe)]
};

// Equals DifferencePalette in output/flame/palette.cpp, with shares as amounts.
export function changeColour({before, now, oneSample, isSure}) {
  const {shades, unchanged, steps, insignificant, fewSamples} = paletteShades.change;
  if (!isSure) return ofTheme(shades[insignificant]);
  const sum = before + now + fewSamples * oneSample, change = sum > 0 ? (now - before) / sum : 0;
  return ofTheme(shades[unchanged + Math.sign(change) * Math.round(Math.sqrt(Math.abs(change)) * steps)]);
}
