// Numbers in texts of users and of sysfs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/number_in.h"

namespace perfsift::record {

// A whole text that is one number: decimal, or hexadecimal after 0x. Nothing for anything else, and for numbers that do
// not fit.
inline std::optional<std::uint64_t> read_number(std::string_view text) {
  constexpr int decimal = 10, hexadecimal = 16;
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  return number_in<std::uint64_t>(text, hex ? hexadecimal : decimal);
}

struct NumberRange {
  unsigned first = 0, last = 0;
};

// "0-7,32" as sysfs writes sets of bits. Nothing if the text is no such list; an empty text is an empty list.
inline std::optional<std::vector<NumberRange>> read_ranges(std::string_view text) {
  constexpr std::uint64_t most = 1 << 20;
  std::vector<NumberRange> ranges;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const std::size_t dash = part.find('-');
    const auto first = read_number(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : read_number(part.substr(dash + 1));
    if (!first || !last || *last < *first || *last > most) return std::nullopt;
    ranges.push_back({static_cast<unsigned>(*first), static_cast<unsigned>(*last)});
  }
  return ranges;
}

// The numbers of such a list, ascending as they are written, for CPUs and nodes. Nothing if the text is no list, or has
// more than 65,536 numbers.
inline std::optional<std::vector<unsigned>> read_number_list(std::string_view text) {
  constexpr std::size_t most = 1 << 16;
  const auto ranges = read_ranges(text);
  if (!ranges) return std::nullopt;
  std::vector<unsigned> numbers;
  for (const auto [first, last] : *ranges) {
    if (last - first >= most - std::min(most, numbers.size())) return std::nullopt;
    for (unsigned number = first; number <= last; ++number) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace perfsift::record
