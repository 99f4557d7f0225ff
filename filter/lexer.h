// Splits the text of an expression into tokens.
#pragma once

#include <cstdint>
#include <vector>

#include "filter/source_text.h"

namespace perfsift::filter {

enum class TokenKind : std::uint8_t {
  name,       // pid, mem.op, sched:sched_switch.prev_pid, p99.9; also and, or, in, …
  number,     // 12, 0x1f, 64k, 1.5s, 10%; with the sign in front
  text,       // "…" or '…', the quotes included
  operator_,  // && || ! == != < <= > >= =~ !~ & .. , ( ) { } + -
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  Span place;
  std::string_view text;  // in the source

  bool is(std::string_view wanted) const {
    return (kind == TokenKind::name || kind == TokenKind::operator_) && text == wanted;
  }
};

// The last token is `end`. Blanks and comments (# to the end of the line) are left out. Throws UsageError.
std::vector<Token> tokens_of(const FilterText& source);

}  // namespace perfsift::filter
