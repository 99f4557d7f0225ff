// Comparing callchains, which are rows of 64-bit words.
#pragma once

#include <cstring>

#include "reader/format/sample.h"

namespace perfsift::analysis {

// A callchain of no words need not point to anything, which memcmp() does not allow.
inline bool same_words(reader::Words a, reader::Words b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

}  // namespace perfsift::analysis
