// Splits large texts of many short lines, without copies and streams.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace perfsift {

// Removes the next line from the front of `text` and returns it without its newline.
inline std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// Removes a hexadecimal number from the front of `text` and returns it; nothing when there is none, or when it has more
// than 16 digits.
inline std::optional<std::uint64_t> take_hex(std::string_view& text) {
  constexpr std::size_t most_digits = 16;
  std::uint64_t value = 0;
  std::size_t digits = 0;
  for (; digits < text.size(); ++digits) {
    const char c = text[digits];
    const char letter = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9')
      value = value << 4 | static_cast<std::uint64_t>(c - '0');
    else if (letter >= 'a' && letter <= 'f')
      value = value << 4 | static_cast<std::uint64_t>(letter - 'a' + 10);
    else
      break;
  }
  if (digits == 0 || digits > most_digits) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

}  // namespace perfsift
