// The tokens of C in the arguments of a print format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reader/tracepoint/scanner.h"

namespace perfsift::reader::print {

struct Token {
  enum class Kind : std::uint8_t { end, name, number, character, text, mark };

  Kind kind = Kind::end;
  std::string text;  // of characters and texts: the value, without quotes and escapes
};

// The text up to the closing quote; the opening quote is already consumed. Nothing when no quote closes the text.
std::optional<std::string> quoted(Scanner& in, char quote);

// Nothing for text that is not C. The last token is an `end`.
std::optional<std::vector<Token>> tokens_of(std::string_view text);

}  // namespace perfsift::reader::print
