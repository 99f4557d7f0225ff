#include "base/glob.h"

#include <cstddef>
#include <optional>

namespace perfsift {
namespace {

constexpr std::size_t none = std::string_view::npos;

// Reads the byte at `at`, or the byte behind a backslash there, and moves `at` behind what it has read.
unsigned char read_byte(std::string_view glob, std::size_t& at) {
  if (glob[at] == '\\' && at + 1 < glob.size()) ++at;
  return static_cast<unsigned char>(glob[at++]);
}

// A class of bytes, from its '[' to its ']'.
struct ByteClass {
  std::size_t end = none;  // behind the ']'; none: there is no class
  bool matches = false;    // the byte that was asked for
};

// The first byte of a class may be a ']'.
ByteClass read_class(std::string_view glob, std::size_t at, unsigned char byte) {
  ++at;
  const bool negated = at < glob.size() && (glob[at] == '!' || glob[at] == '^');
  if (negated) ++at;
  bool found = false;
  for (bool is_first = true; at < glob.size(); is_first = false) {
    if (glob[at] == ']' && !is_first) return {.end = at + 1, .matches = found != negated};
    const unsigned char low = read_byte(glob, at);
    const bool is_range = at + 1 < glob.size() && glob[at] == '-' && glob[at + 1] != ']';
    const unsigned char high = is_range ? read_byte(glob, ++at) : low;
    found |= low <= byte && byte <= high;
  }
  return {};
}

// Where the glob continues if its element at `at`, which is no '*', matches the byte.
std::optional<std::size_t> behind_match(std::string_view glob, std::size_t at, unsigned char byte, Brackets brackets) {
  if (glob[at] == '?') return at + 1;
  if (glob[at] == '[' && brackets == Brackets::classes) {
    const ByteClass bytes = read_class(glob, at, byte);
    if (bytes.end != none) return bytes.matches ? std::optional(bytes.end) : std::nullopt;
  }
  const bool is_equal = read_byte(glob, at) == byte;
  return is_equal ? std::optional(at) : std::nullopt;
}

}  // namespace

// After a mismatch, only the last '*' can match more: what it leaves to the elements before it was enough for them.
bool matches_glob(std::string_view glob, std::string_view text, Brackets brackets) {
  std::size_t at = 0, read = 0;
  std::size_t behind_star = none, star_end = 0;  // the text that the last '*' matches ends at star_end
  while (read < text.size()) {
    if (at < glob.size() && glob[at] == '*') {
      behind_star = ++at;
      star_end = read;
      continue;
    }
    const auto byte = static_cast<unsigned char>(text[read]);
    const auto next = at < glob.size() ? behind_match(glob, at, byte, brackets) : std::nullopt;
    if (!next && behind_star == none) return false;
    at = next ? *next : behind_star;
    read = next ? read + 1 : ++star_end;
  }
  return glob.find_first_not_of('*', at) == none;
}

bool has_wildcards(std::string_view glob, Brackets brackets) {
  for (std::size_t at = 0; at < glob.size(); read_byte(glob, at)) {
    if (glob[at] == '*' || glob[at] == '?') return true;
    if (glob[at] == '[' && brackets == Brackets::classes && read_class(glob, at, 0).end != none) return true;
  }
  return false;
}

std::string without_escapes(std::string_view glob) {
  std::string text;
  for (std::size_t at = 0; at < glob.size();) text += static_cast<char>(read_byte(glob, at));
  return text;
}

}  // namespace perfsift
