// Text as a field of CSV (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace perfsift::output {

// `text` with quotes where RFC 4180 wants them.
std::string csv_text(std::string_view text);
// csv_text() for a name out of a recording, as printable_utf8() makes it. Spreadsheets take a field that begins with =,
// +, -, @, a tab or a carriage return for a formula and compute it: such a name gets a ' in front, which makes it text
// for them.
std::string csv_name(std::string_view name);
// Parts of fields: a text as it stands in a field in quotes, and what csv_name() puts in front of
// a field that begins with `field`.
std::string csv_inside_quotes(std::string_view text);
std::string_view formula_guard(std::string_view field);

}  // namespace perfsift::output
