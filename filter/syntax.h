// A parsed expression, before its names are resolved.
#pragma once

#include <cstdint>
#include <vector>

#include "filter/lexer.h"

namespace perfsift::filter {

enum class SyntaxKind : std::uint8_t {
  all_of,           // parts, joined by && or ,
  any_of,           // parts, joined by ||
  not_,             // part
  comparison,       // left, right; `token` is == != < <= > >= =~ !~
  membership,       // left in { elements }: left, elements; `token` is in or not
  mask,             // left & right
  range,            // from .. until
  name,             // `token`
  number,           // `token`
  text,             // `token`
  recorded,         // has name
  call,             // arguments; `token` is the function's name
  stack_has,        // text, or an expression about a frame; `token` is stack or waker
  stack_truncated,  //
  within,           // duration, expression
  between,          // two expressions
};

struct Syntax {
  SyntaxKind kind;
  Token token;
  Span place;   // all of it, with parentheses around it
  Span inside;  // without them
  std::vector<Syntax> parts;
};

// Throws UsageError. Expressions nested deeper than 100 are refused.
Syntax parse(const FilterText& source);

}  // namespace perfsift::filter
