// Names in a form that is safe for terminals and for formats of lines.
//
// Names of threads, files, events and functions are untrusted bytes: line ends in a name can fake lines of the output,
// and a terminal executes control sequences. In all text output, control characters are escaped as in C: \n, \t and \r,
// and \x1b for the others: below 0x20, DEL, and 0x80 to 0x9f, alone or in UTF-8 (\xc2\x9b). Invisible characters
// that change what is seen are escaped, too: those of the direction and of the lines of a text, and those without a
// width (U+202E is \xe2\x80\xae). Everything else stays unchanged, backslashes too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace perfsift {

// Whether all bytes are ASCII and no control characters, as in nearly all names. Takes a few instructions per eight
// bytes.
inline bool is_plain_ascii(std::string_view text) {
  constexpr std::uint64_t ones = 0x0101010101010101, tops = ones << 7;
  const auto odd = [](std::uint64_t word) {
    const std::uint64_t del = word ^ (ones * 0x7f);  // a test may be wrong only for a byte after an odd byte
    return (word | (word - ones * 0x20) | (del - ones)) & tops;
  };
  while (text.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    if (odd(word) != 0) return false;
    text.remove_prefix(sizeof word);
  }
  if (text.empty()) return true;  // an empty text may have a null pointer, which memcpy() must not get
  std::uint64_t rest = ones * 'a';
  std::memcpy(&rest, text.data(), text.size());
  return odd(rest) == 0;
}

// `text` with its control characters escaped.
std::string printable(std::string_view text);
// printable() for a text of several lines: newlines stay.
std::string printable_lines(std::string_view text);
// printable() without a copy if nothing must be escaped; otherwise `store` holds the returned bytes.
std::string_view printable(std::string_view text, std::string& store);

}  // namespace perfsift
