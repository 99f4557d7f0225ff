// Shared by the readers of text: classes of bytes, and maps keyed by text.
//
// The classes are ASCII's in every locale: perf prints bytes, and letters of other alphabets belong to no class, as in
// Perl's regular expressions without a pragma.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace perfsift::analysis {

// The result of find() when nothing is found.
inline constexpr std::size_t npos = std::string_view::npos;

inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Hexadecimal digits as printf's %x writes them.
inline bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }
inline bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Removes the byte order mark of UTF-8, which some editors put in front of a text.
inline std::string_view without_mark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

// The first position at or after `at` whose byte is not of the class; text.size() when there is none.
template <typename Class>
std::size_t skip(std::string_view text, std::size_t at, Class of_class) {
  while (at < text.size() && of_class(text[at])) ++at;
  return at;
}

// Skips backwards: the start of the run of the class that ends before `end`.
template <typename Class>
std::size_t skip_back(std::string_view text, std::size_t end, Class of_class) {
  while (end > 0 && of_class(text[end - 1])) --end;
  return end;
}

inline std::string_view trimmed(std::string_view text) {
  const std::size_t end = skip_back(text, text.size(), is_space);
  const std::size_t start = skip(text.substr(0, end), 0, is_space);
  return text.substr(start, end - start);
}

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

// A map with lookups by std::string_view that create no string. Keys keep their addresses until erased.
template <typename Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

}  // namespace perfsift::analysis
