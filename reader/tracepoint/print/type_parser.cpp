#include "reader/tracepoint/print/type_parser.h"

#include <optional>
#include <set>

namespace perfsift::reader::print {

Type TypeParser::pointer_to(std::string_view name) const {
  const auto type = name == "void" ? std::optional(Type{}) : named_type(name, long_size_);
  Type pointer{.kind = Type::Kind::pointer, .size = long_size_, .is_signed = false};
  if (type && name != "void") pointer.element_size = type->size, pointer.element_signed = type->is_signed;
  return pointer;
}

bool TypeParser::is_type_word(const Token& word) const {
  static const std::set<std::string_view> keywords = {"const", "volatile", "unsigned", "signed", "long", "int",
                                                      "short", "char",     "struct",   "union",  "enum", "void"};
  return word.kind == Token::Kind::name && (keywords.contains(word.text) || named_type(word.text, long_size_));
}
bool TypeParser::at_type(std::size_t ahead) const {
  if (is_type_word(tokens_.token(ahead))) return true;
  if (tokens_.token(ahead).kind != Token::Kind::name || !tokens_.at("*", ahead + 1)) return false;
  while (tokens_.at("*", ahead + 1)) ++ahead;
  return tokens_.at(")", ahead + 1);
}

// "unsigned long int" -> "unsigned long".
std::string TypeParser::type_name() {
  static const std::set<std::string_view> parts = {"unsigned", "signed", "long", "int", "short", "char"};
  std::size_t longs = 0;
  std::string sign, base;
  for (bool named = false; tokens_.token().kind == Token::Kind::name;) {
    const std::string word = tokens_.token().text;
    if (word == "const" || word == "volatile") {
      tokens_.take();
    } else if (parts.contains(word)) {
      tokens_.take();
      named = true;
      if (word == "long") ++longs;
      if (word == "unsigned") sign = "unsigned ";
      if (word == "short" || word == "char" || (word == "int" && base.empty())) base = word;
    } else {
      if (named) break;
      if (word == "struct" || word == "union" || word == "enum") tokens_.take();
      return tokens_.name();
    }
  }
  if (longs != 0) return sign + (longs == 1 ? "long" : "long long");
  return sign + (base.empty() ? "int" : base);
}

Type TypeParser::type() {
  const std::string base = type_name();
  std::size_t stars = 0;
  while (tokens_.accept("*") || tokens_.at_name("const")) {
    if (tokens_.at_name("const")) tokens_.take();
    ++stars;
  }
  if (stars == 1) return pointer_to(base);
  if (stars > 1) return pointer_to("unsigned long");
  const auto known = named_type(base, long_size_);
  if (!known) tokens_.fail();
  return known.value_or(int_type);
}

}  // namespace perfsift::reader::print
