#include "base/shell_words.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"

namespace perfsift {
namespace {

constexpr std::string_view blanks = " \t\n";
constexpr std::string_view escaped_in_quotes = "\"\\$`\n";

// Reads one text from its front.
class Splitter {
 public:
  explicit Splitter(std::string_view text) : whole_(text), rest_(text) {}

  std::optional<std::string> next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
    if (rest_.empty()) return std::nullopt;
    std::string word;
    while (!rest_.empty() && blanks.find(rest_.front()) == std::string_view::npos) {
      const char first = take();
      if (first == '\'') {
        take_single_quoted(word);
      } else if (first == '"') {
        take_double_quoted(word);
      } else if (first == '\\') {
        take_escaped(word);
      } else {
        word += first;
      }
    }
    return word;
  }

 private:
  char take() {
    if (rest_.empty()) throw UsageError("'" + std::string(whole_) + "' ends inside of a quotation");
    const char first = rest_.front();
    rest_.remove_prefix(1);
    return first;
  }

  // A backslash and the end of a line are nothing at all.
  void take_escaped(std::string& word) {
    if (const char next = take(); next != '\n') word += next;
  }

  void take_single_quoted(std::string& word) {
    for (char next = take(); next != '\''; next = take()) word += next;
  }

  void take_double_quoted(std::string& word) {
    for (char next = take(); next != '"'; next = take()) {
      const bool escapes = next == '\\' && !rest_.empty() && escaped_in_quotes.find(rest_.front()) != std::string::npos;
      escapes ? take_escaped(word) : word.push_back(next);
    }
  }

  const std::string_view whole_;
  std::string_view rest_;
};

}  // namespace

std::vector<std::string> shell_words(std::string_view text) {
  Splitter splitter(text);
  std::vector<std::string> words;
  while (auto word = splitter.next()) words.push_back(std::move(*word));
  return words;
}

}  // namespace perfsift
