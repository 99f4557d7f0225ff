// Untrusted text in XML and HTML, and in JSON inside of them.
#pragma once

#include <string>
#include <string_view>

namespace perfsift::output {

// Text for the content of elements and for attributes in quotes: printable_utf8(), without markup.
std::string markup_text(std::string_view text);

// A JSON string with its quotes that may stand in an element of XML or HTML, also in a script: printable_utf8(), and
// <, > and & are escaped.
std::string json_text(std::string_view text);

}  // namespace perfsift::output
