// The strings of a pprof profile, each stored once. Number 0 is the empty string.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/printable_utf8.h"

namespace perfsift::output {

// Not thread-safe.
class StringTable {
 public:
  StringTable() { number(""); }

  // The number of the text, which is added if it is new. protobuf requires UTF-8.
  std::int64_t number(std::string_view any_text) {
    const std::string text = printable_utf8(any_text);
    const auto known = numbers_.find(text);
    if (known != numbers_.end()) return known->second;
    const auto number = static_cast<std::int64_t>(texts_.size());
    numbers_.emplace(texts_.emplace_back(text), number);
    return number;
  }
  const std::deque<std::string>& texts() const { return texts_; }

 private:
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::int64_t> numbers_;
};

}  // namespace perfsift::output
