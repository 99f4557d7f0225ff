// The result of a search: the matching names, and their nodes. Capital letters in the searched text make case matter.

import {clipped} from "./text.js";

const isExact = (text) => text !== text.toLowerCase();

// Whether a regular expression finds a name. Throws an error if the text is not a regular expression.
export function patternTest(text) {
  const expression = expressionOf(text, isExact(text) ? "" : "i");
  return (name) => expression.test(clipped(name, 4000));
}

// With the flag u, "{lambda" and "\<" are errors. Without the flag they are not.
function expressionOf(text, flags) {
  try {
    return new RegExp(text, `u${flags}`);
  } catch {
    return new RegExp(text, flags);
  }
}

// Whether a name contains the text.
export function textTest(text) {
  return isExact(text) ? (name) => name.includes(text) : (name) => name.toLowerCase().includes(text);
}

// Calls take(node) for the found nodes that are not below another found node. So their stacks count once.
export function forEachOutermost({size, frame, end}, found, take) {
  for (let node = 1; node < size;) {
    if (found[frame[node]] === 1) {
      take(node);
      node = end[node];
    } else {
      ++node;
    }
  }
}
