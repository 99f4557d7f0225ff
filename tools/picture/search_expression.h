// Whether a browser can search by an expression.
#pragma once

#include <string>
#include <string_view>

namespace perfsift::tools {

// Why `expression` is no regular expression of JavaScript; empty: it is one, by the grammar of ECMA-262 with its Annex
// B, which every browser accepts ("operator[]" and "{lambda" are expressions). A few expressions that only the browser
// refuses pass: repeated names of groups, references to groups that do not exist.
std::string problem_of_expression(std::string_view expression);

}  // namespace perfsift::tools
