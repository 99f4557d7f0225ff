// Where the boxes of a flame graph are.
//
// A box: {item, x, width, depth, parent}, in pixels and rows. Boxes narrower than half a pixel are left out, with all
// below them, so the work depends on the picture, not on the recording.

export const rowHeight = 19;

const leastWidth = 0.5;

// The box at the end of the path `zoom` is `width` pixels wide, as its callers are.
export function layOut(tree, zoom, width) {
  const rows = [];
  const put = (box) => {
    (rows[box.depth] ??= []).push(box);
    return box;
  };
  let box = put({item: tree.root(), x: 0, width, depth: 0, parent: null});
  const found = [];
  for (const frame of zoom) {
    const item = tree.child(box.item, frame);
    if (!item) break;
    found.push(frame);
    box = put({item, x: 0, width, depth: box.depth + 1, parent: box});
  }
  const waiting = [box];
  while (waiting.length > 0) {
    const above = waiting.pop();
    if (above.item.width <= 0 || above.width <= 0) continue;
    const scale = above.width / above.item.width;
    const children = tree.children(above.item, leastWidth / scale), first = waiting.length;
    for (const item of children) {
      waiting.push(
        put({item, x: above.x + item.at * scale, width: item.width * scale, depth: above.depth + 1, parent: above}));
    }
    reverse(waiting, first);  // the leftmost comes next, so that rows are in the order of x
  }
  return {rows, zoom: found, focus: box};
}

// The width of the box at the end of a path, in the unit of the tree; 0: there is none.
export function widthOfPath(tree, path) {
  let item = tree.root();
  for (const frame of path) {
    item = tree.child(item, frame);
    if (!item) return 0;
  }
  return item.width;
}

function reverse(array, begin) {
  for (let end = array.length - 1; begin < end; ++begin, --end) [array[begin], array[end]] = [array[end], array[begin]];
}

// The box of a row at x; null: none.
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

// The frames from the root to the box.
export function pathOf(box) {
  const path = [];
  for (let at = box; at && at.parent; at = at.parent) path.unshift(at.item.frame);
  return path;
}
