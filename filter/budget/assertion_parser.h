// Parses a line of a budget into an assertion.
//
//   assertion   never | measured comparison limit
//   never       "never" function [ "under" function ]
//   function    TEXT | "=~" TEXT | "(" an expression about a frame ")"
//   measured    NAME [ "(" [ argument { "," argument } ] ")" ]
//   comparison  "<" | "<=" | ">" | ">=" | "=="
//   limit       NUMBER | "baseline" [ ("+" | "-") NUMBER [ "points" ] ]
#pragma once

#include <optional>

#include "filter/budget/budget.h"
#include "filter/lexer.h"

namespace perfsift::filter {

// `source`: one line. Nothing for an empty line. Throws SyntaxError with the place in the line.
std::optional<Assertion> parse_assertion(const FilterText& source);

}  // namespace perfsift::filter
