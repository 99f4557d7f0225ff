// The place of a tip: beside the pointer, and inside the visible part, which ends at `top`, `right` and `bottom`.
export function besidePointer(x, y, {width, height}, {top, right, bottom}) {
  const isAbove = y + 16 + height > bottom && y - 12 - height > top;
  return {x: x + 14 + width > right ? Math.max(x - 14 - width, 4) : x + 14, y: isAbove ? y - 12 - height : y + 16};
}
