#include "reader/tracepoint/description.h"

#include <algorithm>

#include "reader/tracepoint/scanner.h"

namespace perfsift::reader {

namespace {

// The longest description of Linux 6.12 is below 40,000 bytes.
constexpr std::size_t largest = 1 << 18;

constexpr std::string_view blanks = " \t";
constexpr std::string_view letters = Scanner::letters;

bool starts_word(char c) {
  return letters.find(c) != std::string_view::npos && Scanner::digits.find(c) == std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// The name in "unsigned long args[6]", "__data_loc char[] filename" or "const char * name"; nothing for text that is no
// declaration.
std::string_view declared_name(std::string_view declaration) {
  declaration = trimmed(declaration);
  while (declaration.ends_with(']')) {
    const auto open = declaration.rfind('[');
    if (open == std::string_view::npos) return {};
    const auto length = trimmed(declaration.substr(open + 1, declaration.size() - open - 2));
    if (length.find_first_not_of(letters) != std::string_view::npos) return {};
    declaration = trimmed(declaration.substr(0, open));
  }
  const auto before = declaration.find_last_not_of(letters);
  if (before == std::string_view::npos || before + 1 == declaration.size()) return {};  // no type, or no name
  const auto type = trimmed(declaration.substr(0, before + 1));
  const auto name = declaration.substr(before + 1);
  const bool known_characters = std::ranges::all_of(type, [](char c) {
    return letters.find(c) != std::string_view::npos || std::string_view(" *[]()").find(c) != std::string_view::npos;
  });
  const bool empty_brackets = std::ranges::count(type, '[') == std::ranges::count(type, ']') &&
                              (type.find('[') == std::string_view::npos || type.ends_with("[]"));
  return !type.empty() && starts_word(type.front()) && starts_word(name.front()) && known_characters && empty_brackets
             ? name
             : std::string_view{};
}

bool accept_number(Scanner& line, std::string_view label) {
  line.take(blanks);
  if (!line.accept(label)) return false;
  const auto number = line.take(Scanner::digits);
  return !number.empty() && number.size() <= 9 && line.accept(";");
}

// The name in "   field:int prev_prio;    offset:28;      size:4; signed:1;" (`signed` exists since 2.6.33), or
// nothing.
std::string_view field_of(std::string_view text) {
  Scanner line(text);
  line.take(blanks);
  if (!line.accept("field:") && !line.accept("field special:")) return {};
  const auto name = declared_name(line.until(';'));
  if (!accept_number(line, "offset:") || !accept_number(line, "size:")) return {};
  line.take(blanks);
  if (!line.done() && !accept_number(line, "signed:")) return {};
  line.take(blanks);
  return line.done() ? name : std::string_view{};
}

}  // namespace

std::optional<Description> read_description(std::string_view text) {
  constexpr std::string_view print_label = "\nprint fmt:";
  if (text.size() > largest) return std::nullopt;
  const auto print_at = text.find(print_label);
  if (print_at == std::string_view::npos) return std::nullopt;

  const auto declarations = text.substr(0, print_at);
  Scanner head(declarations);
  for (const std::string_view label : {"name:", "ID:", "format:"}) {
    if (!head.accept(label)) return std::nullopt;
    head.until('\n');
  }
  while (!head.done()) {
    const auto line = head.until('\n');
    if (!trimmed(line).empty() && field_of(line).empty()) return std::nullopt;
  }
  return Description{.declarations = std::string(declarations), .print = text.substr(print_at + print_label.size())};
}

}  // namespace perfsift::reader
