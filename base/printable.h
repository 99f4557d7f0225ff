// Names as a terminal and a line can take them.
//
// Names of threads, files, events and functions are bytes that somebody else chose: they may have line ends that look
// like lines of ours, and control sequences that a terminal obeys. In every text we write they are escaped as in C:
// \n, \t and \r, and \x1b for other control characters: those below 0x20, DEL, and 0x80 to 0x9f, alone or in UTF-8
// (\xc2\x9b). Everything else stays as it is, backslashes too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace perfsift {

// Whether all bytes are ASCII without control characters, as nearly all names are: a few instructions for eight bytes.
inline bool is_plain_ascii(std::string_view text) {
  constexpr std::uint64_t ones = 0x0101010101010101, tops = ones << 7;
  const auto odd = [](std::uint64_t word) {
    const std::uint64_t del = word ^ (ones * 0x7f);  // each test may be wrong about a byte behind one that is odd
    return (word | (word - ones * 0x20) | (del - ones)) & tops;
  };
  while (text.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    if (odd(word) != 0) return false;
    text.remove_prefix(sizeof word);
  }
  if (text.empty()) return true;  // such a text may have no address, which memcpy() must not get
  std::uint64_t rest = ones * 'a';
  std::memcpy(&rest, text.data(), text.size());
  return odd(rest) == 0;
}

// `text` with its control characters escaped.
std::string printable(std::string_view text);
// The same of a text of several lines.
std::string printable_lines(std::string_view text);
// The same without a copy where nothing is to be escaped; `store` has the bytes of what is returned otherwise.
std::string_view printable(std::string_view text, std::string& store);

}  // namespace perfsift
