// The words of C in the arguments of a print format.
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
  std::string text;  // of characters and texts: what they mean, without quotes and escapes
};

// What stands between quotes, the first of which is taken already. Nothing where no quote ends it.
std::optional<std::string> quoted(Scanner& in, char quote);

// Nothing for what is no C. The last token is an `end`.
std::optional<std::vector<Token>> tokens_of(std::string_view text);

}  // namespace perfsift::reader::print
