// Reads text that describes a tracepoint from front to back.
#pragma once

#include <algorithm>
#include <string_view>

namespace perfsift::reader {

class Scanner {
 public:
  static constexpr std::string_view blanks = " \t\n\r";
  static constexpr std::string_view digits = "0123456789";
  static constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

  explicit Scanner(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }
  // NUL at the end of the text.
  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  char next() {
    const char c = peek();
    rest_.remove_prefix(rest_.empty() ? 0 : 1);
    return c;
  }
  bool accept(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }
  void skip_blanks() { take(blanks); }
  // The longest piece that consists of these characters.
  std::string_view take(std::string_view characters) {
    const auto piece = rest_.substr(0, rest_.find_first_not_of(characters));
    rest_.remove_prefix(piece.size());
    return piece;
  }
  // The text before `end`; `end` is consumed too. The rest of the text when there is no `end`.
  std::string_view until(char end) {
    const auto piece = rest_.substr(0, rest_.find(end));
    rest_.remove_prefix(std::min(piece.size() + 1, rest_.size()));
    return piece;
  }

 private:
  std::string_view rest_;
};

}  // namespace perfsift::reader
