// The texts perf hands out, each kept once.
//
// What perf points to may be gone after the callback, and other text may lie there later: the name of a thread that has
// ended is freed, for one. Filters, however, remember texts by their address (see filter::Facts::text()).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_set>

namespace perfsift::dlfilter {

// Not thread-safe.
class Texts {
 public:
  // The same text at the same place each time, for as long as this lives. Empty for nullptr.
  std::string_view keep(const char* text) {
    if (text == nullptr) return {};
    Recent& recent = recent_[reinterpret_cast<std::uintptr_t>(text) / 8 % recent_.size()];
    const bool unchanged = recent.from == text && std::strcmp(recent.kept.data(), text) == 0;
    if (!unchanged) recent = {.from = text, .kept = *all_.emplace(text).first};
    return recent.kept;
  }

 private:
  struct Recent {
    const char* from = nullptr;
    std::string_view kept;  // with a 0 behind it
  };
  std::array<Recent, 4096> recent_;
  std::unordered_set<std::string> all_;  // its elements stay where they are
};

}  // namespace perfsift::dlfilter
