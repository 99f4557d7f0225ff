// The names of threads as texts that keep their addresses: a filter caches its answers by the address of the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "reader/timeline/timeline.h"

namespace perfsift::analysis {

// Not thread-safe. The timeline must live longer.
class CommTexts {
 public:
  explicit CommTexts(const reader::Timeline& timeline) : timeline_(timeline) {}

  // The thread's name. A thread without a name (`name` 0) is called ":1234", as in perf.
  std::string_view of(std::int32_t tid, reader::NameId name) {
    if (name != 0) return timeline_.name(name);
    const auto [known, is_new] = unnamed_.try_emplace(tid);
    if (is_new) known->second = timeline_.comm(tid, {});
    return known->second;
  }

 private:
  const reader::Timeline& timeline_;
  std::unordered_map<std::int32_t, std::string> unnamed_;
};

}  // namespace perfsift::analysis
