// Names in a form that is safe for XML, HTML and other formats that must be valid UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace perfsift {

// printable(), and bytes that belong to no character are escaped too (\xff), as are the characters that XML forbids
// (U+FFFE, U+FFFF).
std::string printable_utf8(std::string_view text);

}  // namespace perfsift
