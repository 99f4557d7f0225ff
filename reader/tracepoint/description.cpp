#include "reader/tracepoint/description.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

namespace perfsift::reader {

namespace {

// The longest of Linux 6.12 is below 40,000 bytes and 400 levels.
constexpr std::size_t largest = 1 << 18;
constexpr std::size_t deepest = 2000;

constexpr std::string_view blanks = " \t";
constexpr std::string_view digits = "0123456789";
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

bool starts_word(char c) {
  return letters.find(c) != std::string_view::npos && digits.find(c) == std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Reads a piece of text front to back.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  char next() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  bool accept(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }
  void skip_blanks() { take(blanks); }
  // The longest piece made of these characters.
  std::string_view take(std::string_view characters) {
    const auto piece = rest_.substr(0, rest_.find_first_not_of(characters));
    rest_.remove_prefix(piece.size());
    return piece;
  }
  // What stands before `end`, which is taken too; all that is left where there is none.
  std::string_view until(char end) {
    const auto piece = rest_.substr(0, rest_.find(end));
    rest_.remove_prefix(std::min(piece.size() + 1, rest_.size()));
    return piece;
  }
  // The word that begins here, if one does; else one character is passed over.
  std::string_view word_or_skip() {
    if (starts_word(rest_.front())) return take(letters);
    if (letters.find(rest_.front()) != std::string_view::npos) return take(letters), std::string_view{};
    return next(), std::string_view{};
  }
  void skip_string() {
    while (!done()) {
      const char c = next();
      if (c == '"') return;
      if (c == '\\' && !done()) next();
    }
  }

 private:
  std::string_view rest_;
};

// "unsigned long args[6]", "__data_loc char[] filename", "const char * name": the name, or nothing when it is not a
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
  line.skip_blanks();
  if (!line.accept(label)) return false;
  const auto number = line.take(digits);
  return !number.empty() && number.size() <= 9 && line.accept(";");
}

// "	field:int prev_prio;	offset:28;	size:4;	signed:1;" (the last was added in 2.6.33): the name, or nothing.
std::string_view field_of(std::string_view text) {
  Scanner line(text);
  line.skip_blanks();
  if (!line.accept("field:") && !line.accept("field special:")) return {};
  const auto name = declared_name(line.until(';'));
  if (!accept_number(line, "offset:") || !accept_number(line, "size:")) return {};
  line.skip_blanks();
  if (!line.done() && !accept_number(line, "signed:")) return {};
  line.skip_blanks();
  return line.done() ? name : std::string_view{};
}

// Every word after "REC->".
bool prints_only(const std::set<std::string_view>& fields, std::string_view print) {
  Scanner in(print);
  while (!in.done()) {
    if (in.accept("\"")) {
      in.skip_string();
    } else if (in.word_or_skip() == "REC") {
      in.skip_blanks();
      if (!in.accept("->")) return false;
      in.skip_blanks();
      if (!fields.contains(in.take(letters))) return false;
    }
  }
  return true;
}

// libtraceevent computes constant expressions while it parses, and divides by whatever there is. So a divisor is a
// number other than 0 by itself, or something only a sample knows: a name of the kernel's source counts as 0.
bool is_safe_divisor(Scanner in) {
  bool bracketed = false;
  in.skip_blanks();
  while (in.accept("(")) bracketed = true, in.skip_blanks();
  const auto word = in.take(letters);
  if (word.empty()) return false;
  in.skip_blanks();
  if (!starts_word(word.front()))
    return std::strtoull(std::string(word).c_str(), nullptr, 0) != 0 && (!bracketed || in.accept(")"));
  if (word == "REC" || word == "sizeof" || word.starts_with("__get_")) return true;
  while (!in.take(letters).empty()) in.skip_blanks();  // "(unsigned long)": the divisor follows the cast
  return bracketed && in.accept(")") && is_safe_divisor(in);
}

// What C uses outside of strings; libtraceevent stumbles over a stray backslash.
bool belongs_in_an_expression(char c) {
  constexpr std::string_view punctuation = " \t\n\"',.;:?!~+-*/%&|^<>=()[]{}";
  return letters.find(c) != std::string_view::npos || punctuation.find(c) != std::string_view::npos;
}

char closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

// Whether brackets pair up and a recursive-descent parser stays within bounds: every bracket and every operator is a
// level; a comma begins a new expression at the level of the bracket it stands in.
bool is_well_formed(std::string_view print) {
  struct Bracket {
    char close;
    std::size_t level;
  };
  std::vector<Bracket> open{{'\0', 0}};
  std::size_t level = 0;
  Scanner in(print);
  while (!in.done()) {
    const char c = in.next();
    if (!belongs_in_an_expression(c)) return false;
    if (c == '"') in.skip_string();
    if (c == ',') level = open.back().level;
    if (std::string_view("+-*/%&|^<>=!~?:([{").find(c) != std::string_view::npos && ++level > deepest) return false;
    if ((c == '/' || c == '%') && !is_safe_divisor(in)) return false;
    if (c == '(' || c == '[' || c == '{') open.push_back({closing(c), level});
    if (c == ')' || c == ']' || c == '}') {
      if (open.back().close != c) return false;
      level = open.back().level;
      open.pop_back();
    }
  }
  return open.size() == 1;
}

}  // namespace

bool is_sane(std::string_view description) {
  if (description.size() > largest) return false;
  const auto print_at = description.find("\nprint fmt:");
  if (print_at == std::string_view::npos) return false;

  Scanner head(description.substr(0, print_at));
  if (!head.accept("name:")) return false;
  head.until('\n');
  if (!head.accept("ID:")) return false;
  head.until('\n');
  if (!head.accept("format:")) return false;
  head.until('\n');
  std::set<std::string_view> fields;
  while (!head.done()) {
    const auto line = head.until('\n');
    if (trimmed(line).empty()) continue;
    const auto name = field_of(line);
    if (name.empty()) return false;
    fields.insert(name);
  }

  const auto print = description.substr(print_at + 1);
  return is_well_formed(print) && prints_only(fields, print);
}

}  // namespace perfsift::reader
