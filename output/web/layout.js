// The places of the boxes of a flame graph.
//
// A tree has root(), child(item, key) and children(item, least). An item is the content of a box: its width, and where
// it begins inside its parent (at), both in the unit of the tree. children() leaves out items narrower than `least`,
// but keeps their room. A key is the tree's name for a child, for example a function.
//
// A box: {item, x, width, depth, parent}, in pixels and rows. Boxes narrower than `least` pixels are left out together
// with all boxes below them. So the work depends on the picture, not on the recording.

// The boxes by row, from left to right, and the box at the end of the path `zoom` of keys (focus). This box and its
// callers are `width` pixels wide.
export function layOut(tree, zoom, width, least = 0.5) {
  const rows = [];
  const put = (item, x, width, depth, parent) => {
    const box = {item, x, width, depth, parent};
    (rows[depth] ??= []).push(box);
    return box;
  };
  let focus = put(tree.root(), 0, width, 0, null);
  for (const key of zoom) {
    const item = tree.child(focus.item, key);
    if (!item) break;
    focus = put(item, 0, width, focus.depth + 1, focus);
  }
  const waiting = [focus];
  while (waiting.length > 0) {
    const above = waiting.pop(), first = waiting.length;
    if (above.item.width <= 0 || above.width <= 0) continue;
    const scale = above.width / above.item.width;
    for (const item of tree.children(above.item, least / scale)) {
      waiting.push(put(item, above.x + item.at * scale, item.width * scale, above.depth + 1, above));
    }
    reverse(waiting, first);  // the leftmost comes next, so rows are in the order of x
  }
  return {rows, focus};
}

function reverse(array, begin) {
  for (let end = array.length - 1; begin < end; ++begin, --end) [array[begin], array[end]] = [array[end], array[begin]];
}

// The width of the box at the end of a path, in the unit of the tree. 0 if there is no such box.
export function widthOfPath(tree, path) {
  const item = path.reduce((above, key) => above && tree.child(above, key), tree.root());
  return item ? item.width : 0;
}

// The box of a row at x. null: no box.
export function boxAt(row, x) {
  if (!row) return null;
  let begin = 0, end = row.length;
  while (begin < end) {
    const middle = (begin + end) >>> 1;
    if (row[middle].x + row[middle].width <= x) begin = middle + 1;
    else end = middle;
  }
  return begin < row.length && row[begin].x <= x ? row[begin] : null;
}
