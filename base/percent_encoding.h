// Texts in addresses (RFC 3986, section 2).
#pragma once

#include <string>
#include <string_view>

namespace perfsift {

// The text with each byte as %XX that is neither a letter, a digit, one of -_.~ nor one of `also_plain`.
std::string percent_encoded(std::string_view text, std::string_view also_plain = {});

}  // namespace perfsift
