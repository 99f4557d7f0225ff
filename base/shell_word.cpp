#include "base/shell_word.h"

#include "base/printable_utf8.h"

namespace perfsift {
namespace {

// Puts `escape` before each of the characters.
std::string escaped(std::string_view text, std::string_view characters, std::string_view escape) {
  std::string result;
  for (const char c : text) {
    if (characters.find(c) != std::string_view::npos) result += escape;
    result += c;
  }
  return result;
}

}  // namespace

std::string shell_word(std::string_view text) {
  const bool is_plain = !text.empty() && text.find_first_not_of(
                                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                             "0123456789-_./:=,+@%") == std::string_view::npos;
  if (is_plain) return std::string(text);
  // $'…' reads the escapes that printable_utf8() writes.
  if (printable_utf8(text) != text) return "$'" + printable_utf8(escaped(text, R"(\')", R"(\)")) + "'";
  return "'" + escaped(text, "'", R"('\')") + "'";  // 'it'\''s'
}

std::string shell_path(std::string_view path) {
  return shell_word(path.starts_with('-') ? "./" + std::string(path) : std::string(path));
}

}  // namespace perfsift
