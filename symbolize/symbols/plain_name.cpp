#include "symbolize/symbols/plain_name.h"

#include <cctype>
#include <cstddef>

namespace perfsift::symbolize {
namespace {

constexpr std::size_t none = std::string_view::npos;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_operator(std::string_view name, std::size_t at) {
  constexpr std::string_view word = "operator";
  const std::size_t end = at + word.size();
  return name.substr(at).starts_with(word) && (at == 0 || !is_word(name[at - 1])) &&
         (end >= name.size() || !is_word(name[end]));
}

// The end of the operator's sign that begins at `at`. Brackets in the sign enclose nothing; a blank separates arguments
// of a template from a sign that ends with < or >.
std::size_t end_of_sign(std::string_view name, std::size_t at) {
  constexpr std::string_view with_brackets[] = {"()", "[]", "<=>", "<<=", ">>=", "->*", "<<",
                                                ">>", "<=", ">=",  "->",  "<",   ">"};
  for (const std::string_view sign : with_brackets) {
    if (name.substr(at).starts_with(sign)) return at + sign.size();
  }
  return at;
}

bool drop(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

// " const", " &", " [clone .cold]" and the like.
std::string_view without_what_follows_parameters(std::string_view name) {
  while (drop(name, " const") || drop(name, " volatile") || drop(name, " &") || drop(name, " &&")) {
  }
  const std::size_t clone = name.ends_with(']') ? name.rfind(" [clone ") : none;
  return clone == none ? name : without_what_follows_parameters(name.substr(0, clone));
}

// The parts of a name outside of brackets: the start of the last word (an operator and its type are one word), and the
// opening bracket of the parameters at the end.
struct Outline {
  std::size_t last_word = 0;
  std::size_t parameters = none;
};

Outline outline_of(std::string_view name) {
  Outline outline;
  std::size_t depth = 0;
  bool in_operator = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (depth == 0 && is_operator(name, i)) {
      in_operator = true;
      i = end_of_sign(name, i + 8) - 1;
      continue;
    }
    switch (name[i]) {
      case ' ':
        if (depth == 0 && !in_operator) outline.last_word = i + 1;
        break;
      case '(':
        if (depth == 0) outline.parameters = i;
        [[fallthrough]];
      case '<':
      case '{':
      case '[':
        ++depth;
        break;
      case ')':
      case '>':
      case '}':
      case ']':
        if (depth == 0) return {};
        if (--depth != 0) break;
        if (name[i] == ')' && i + 1 != name.size()) outline.parameters = none;
        if (name.substr(i + 1).starts_with(':')) in_operator = false;  // in which something else is declared
        break;
      default:
        break;
    }
  }
  return depth == 0 ? outline : Outline{};
}

}  // namespace

std::string_view plain_name(std::string_view name) {
  if (name.find('(') == none || name.starts_with("transaction clone for ")) return name;
  const std::string_view with_parameters = without_what_follows_parameters(name);
  if (!with_parameters.ends_with(')')) return name;
  const Outline outline = outline_of(with_parameters);
  if (outline.parameters == none || outline.parameters <= outline.last_word) return name;
  return with_parameters.substr(outline.last_word, outline.parameters - outline.last_word);
}

}  // namespace perfsift::symbolize
