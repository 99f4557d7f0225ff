#include "base/printable.h"

#include <algorithm>

#include "base/printable_utf8.h"

namespace perfsift {
namespace {

unsigned char byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

bool is_continuation(unsigned char byte) { return (byte & 0xc0) == 0x80; }

// The number of bytes of the non-ASCII character at the start of `text`; 0 if it is not valid UTF-8 (RFC 3629, table in
// section 4).
std::size_t utf8_size(std::string_view text) {
  const unsigned char first = byte_at(text, 0), second = byte_at(text, 1);
  if (!is_continuation(second)) return 0;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (!is_continuation(byte_at(text, 2))) return 0;
  if (first == 0xe0) return second >= 0xa0 ? 3 : 0;
  if (first == 0xed) return second <= 0x9f ? 3 : 0;
  if (first >= 0xe1 && first <= 0xef) return 3;
  if (!is_continuation(byte_at(text, 3))) return 0;
  if (first == 0xf0) return second >= 0x90 ? 4 : 0;
  if (first == 0xf4) return second <= 0x8f ? 4 : 0;
  return first >= 0xf1 && first <= 0xf3 ? 4 : 0;
}

// The number of bytes of the control character at the start of `text`; 0: no control character.
std::size_t control_size(std::string_view text) {
  const unsigned char first = byte_at(text, 0);
  if (first < 0x20 || first == 0x7f || (first >= 0x80 && first <= 0x9f)) return 1;
  return first == 0xc2 && byte_at(text, 1) >= 0x80 && byte_at(text, 1) <= 0x9f ? 2 : 0;
}

bool is_between(std::string_view character, std::string_view first, std::string_view last) {
  return character.size() == first.size() && character >= first && character <= last;
}

// Whether a valid character of UTF-8 is not seen and can make a name look like another: the format characters of
// Unicode (UnicodeData.txt, general category Cf) without those that have a shape, and the separators of lines.
bool is_hidden(std::string_view character) {
  return character == "\u00ad" || character == "\u061c" || character == "\u180e" ||
         is_between(character, "\u200b", "\u200f") || is_between(character, "\u2028", "\u202e") ||
         is_between(character, "\u2060", "\u206f") || character == "\ufeff" ||
         is_between(character, "\ufff9", "\ufffb") || is_between(character, "\U000e0001", "\U000e007f");
}

void append_escaped(std::string& to, unsigned char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  switch (byte) {
    case '\n':
      to += "\\n";
      return;
    case '\r':
      to += "\\r";
      return;
    case '\t':
      to += "\\t";
      return;
    default:
      to += "\\x";
      to += digits[byte >> 4];
      to += digits[byte & 15];
  }
}

void append_escaped(std::string& to, std::string_view character) {
  for (const char c : character) append_escaped(to, static_cast<unsigned char>(c));
}

std::string escaped(std::string_view text, bool line_ends) {
  std::string result;
  while (!text.empty()) {
    const bool stays = line_ends && text[0] == '\n';
    const bool ascii = byte_at(text, 0) < 0x80;
    const std::size_t control = stays ? 0 : control_size(text);
    const std::size_t size = std::max<std::size_t>(control != 0 || ascii ? control : utf8_size(text), 1);
    const std::string_view character = text.substr(0, size);
    if (control != 0 || (!ascii && is_hidden(character))) {
      append_escaped(result, character);
    } else {
      result += character;
    }
    text.remove_prefix(size);
  }
  return result;
}

// Whether a valid character of UTF-8 must not be in a text of UTF-8 as it is.
bool is_unwanted(std::string_view character) {
  return is_hidden(character) || is_between(character, "\xef\xbf\xbe", "\xef\xbf\xbf");
}

}  // namespace

std::string printable(std::string_view text) { return is_plain_ascii(text) ? std::string(text) : escaped(text, false); }

std::string printable_lines(std::string_view text) {
  return is_plain_ascii(text) ? std::string(text) : escaped(text, true);
}

std::string printable_utf8(std::string_view text) {
  if (is_plain_ascii(text)) return std::string(text);
  std::string result;
  while (!text.empty()) {
    const bool ascii = byte_at(text, 0) < 0x80;
    const std::size_t valid = ascii ? 1 : utf8_size(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(valid, 1));
    if (valid == 0 || control_size(text) != 0 || (!ascii && is_unwanted(character))) {
      append_escaped(result, character);
    } else {
      result += character;
    }
    text.remove_prefix(character.size());
  }
  return result;
}

std::string_view printable(std::string_view text, std::string& store) {
  if (is_plain_ascii(text)) return text;
  store = escaped(text, false);
  return store;
}

}  // namespace perfsift
