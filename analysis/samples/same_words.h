// Compares callchains, which are arrays of 64-bit words.
#pragma once

#include <cstring>

#include "reader/format/sample.h"

namespace perfsift::analysis {

// An empty callchain may have a null pointer, which memcmp() does not allow.
inline bool same_words(reader::Words a, reader::Words b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

}  // namespace perfsift::analysis
