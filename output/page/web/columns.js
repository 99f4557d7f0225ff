// Reads the columns that output/page/columns.h writes.

import {byId} from "./dom.js";

export function readColumn(bytes, column) {
  const {count, planes, large} = column;
  if (planes === undefined) {
    return (column.all < 2 ** 32 ? new Uint32Array(count) : new Float64Array(count)).fill(column.all);
  }
  const plane = (i) => bytes.subarray(column.at + i * count, column.at + (i + 1) * count);
  if (planes === 1 && !large && !column.differences) return plane(0);
  const largest = large ? readColumn(bytes, large.number) : [];
  const isWide = planes > 4 || largest instanceof Float64Array;
  const numbers = isWide ? new Float64Array(count) : new Uint32Array(count);
  for (let p = 0; p < planes; ++p) {
    const from = plane(p), weight = 256 ** p;
    for (let i = 0; i < count; ++i) numbers[i] += from[i] * weight;
  }
  if (large)
    readColumn(bytes, large.place).forEach((place, i) => {
      numbers[place] = largest[i];
    });
  return column.differences ? summedUp(numbers) : numbers;
}

function summedUp(differences) {
  const numbers = Uint32Array.from(differences);
  for (let i = 1; i < numbers.length; ++i) numbers[i] += numbers[i - 1];
  return numbers;
}

// The data of the page, which are in the page itself or come from the server.
export async function loadData() {
  const holder = byId("data");
  if (isLive()) {
    const answer = await fetch("data", {cache: "no-store"});
    if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  }
  const text = atob(holder.textContent);
  holder.textContent = "";
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) packed[i] = text.charCodeAt(i);
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

export const isLive = () => byId("data").dataset.live !== undefined;
