// The places of the boxes of a chart: each lane, a thread, has rows of its own.

// The first row of each lane, and one behind the last.
export function rowsOfLanes({bases, end, depth}) {
  const rows = [0];
  for (const lane of bases) {
    let deepest = 0;
    for (let node = lane; node < end[lane]; ++node) deepest = Math.max(deepest, depth[node]);
    rows.push(rows.at(-1) + deepest + 1);  // a row between lanes
  }
  return rows;
}

// The boxes by row, from left to right, as output/web/layout.js has them. All lanes show the time of the zoomed node. A
// lane may have nothing but narrow frames: the first one of each column stands for them.
export function layOutLanes(tree, firstRows, zoomed, size, least) {
  const from = zoomed === 0 ? 0 : tree.left(zoomed), until = zoomed === 0 ? 1 : from + tree.width(zoomed);
  const scale = size / (until - from), column = Math.max(least, 1), drawnUntil = new Float64Array(firstRows.at(-1));
  const rows = [];
  for (let node = 1, lane = -1; node < tree.size;) {
    if (tree.depth[node] === 1) ++lane;
    const left = tree.start[node] - lane, right = tree.start[tree.end[node]] - lane;
    const depth = firstRows[lane] + tree.depth[node] - 1;
    let x = (Math.max(left, from) - from) * scale, width = (Math.min(right, until) - from) * scale - x;
    const columnLeft = Math.floor(x / column) * column;
    const standsForColumn = width < column && columnLeft >= drawnUntil[depth] - 0.001;
    const isNarrow = (right - left) * scale < least && !standsForColumn;
    if (right <= from || left >= until || tree.isGap(node) || isNarrow) {
      node = tree.end[node];
      continue;
    }
    if (standsForColumn) x = columnLeft, width = column;
    drawnUntil[depth] = x + width;
    (rows[depth] ??= []).push({item: {node}, x, width, depth, parent: null});
    ++node;
  }
  return rows;
}
