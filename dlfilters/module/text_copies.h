// Copies of the texts that perf hands out, one of each text.
//
// A text of perf may be gone after the callback, and other text may lie there later: the name of a thread that has
// ended is freed, for one. Filters, however, remember texts by their address (see filter::Facts::text()).
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/recent_cache.h"

namespace perfsift::dlfilter {

// Not thread-safe.
class TextCopies {
 public:
  // The copy of a text: at the same place each time, for as long as this lives. Empty for nullptr.
  std::string_view of(const char* text) {
    if (text == nullptr) return {};
    std::string_view& copy = recent_.get(text, reinterpret_cast<std::uintptr_t>(text) / 8, [&] { return find(text); });
    if (std::strcmp(copy.data(), text) != 0) copy = find(text);
    return copy;
  }

 private:
  std::string_view find(const char* text) { return *all_.emplace(text).first; }

  RecentCache<const char*, std::string_view, 4096> recent_;  // each with a 0 behind it
  std::unordered_set<std::string> all_;                      // its elements stay where they are
};

}  // namespace perfsift::dlfilter
