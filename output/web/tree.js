// Trees in preorder: a node comes before its children, and a subtree is a range of nodes. Node 0 is the root.

// The parent of each node, and the first node behind its subtree. depthOf(node): 0 for the root.
export function subtrees(size, depthOf) {
  const parent = new Int32Array(size), end = new Int32Array(size).fill(size);
  const path = [];  // the nodes from the root to the last node
  for (let node = 0; node < size; ++node) {
    const depth = depthOf(node);
    while (path.length > depth) end[path.pop()] = node;
    if (depth > 0) parent[node] = path[depth - 1];
    path.push(node);
  }
  return {parent, end};
}
