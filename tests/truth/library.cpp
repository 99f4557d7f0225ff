// The shared library of the truth program. In a static program it is linked into the program.
#include <cstdlib>

#include "tests/truth/mark.h"

namespace library {

using Callback = long (*)(long);

TRUTH_FRAME long descend(int depth, Callback callback, long value) {
  TRUTH_MARK;
  return depth == 0 ? callback(value) + 1 : descend(depth - 1, callback, value + depth) + 1;
}

TRUTH_FRAME static int compare(const void* a, const void* b) {
  TRUTH_MARK;
  const int x = *static_cast<const int*>(a), y = *static_cast<const int*>(b);
  return x < y ? -1 : x > y;
}

TRUTH_FRAME long sort(int* numbers, unsigned count) {
  TRUTH_MARK;
  std::qsort(numbers, count, sizeof *numbers, compare);
  return numbers[count / 2];
}

}  // namespace library
