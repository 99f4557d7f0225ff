#include "reader/tracepoint/print/tokens.h"

#include <algorithm>

namespace perfsift::reader::print {

namespace {

constexpr std::string_view octal_digits = "01234567";
constexpr std::string_view hex_digits = "0123456789abcdefABCDEF";

char numbered(std::string_view digits, int base) {
  return static_cast<char>(std::stoul("0" + std::string(digits), nullptr, base));
}

// The character that an escape sequence stands for; the backslash is already consumed.
char escaped(Scanner& in) {
  constexpr std::string_view letters = "abfnrtv";
  constexpr std::string_view meanings = "\a\b\f\n\r\t\v";
  if (octal_digits.find(in.peek()) != std::string_view::npos) {
    std::string digits;
    while (digits.size() < 3 && octal_digits.find(in.peek()) != std::string_view::npos) digits += in.next();
    return numbered(digits, 8);
  }
  const char c = in.next();
  if (c == 'x') {
    const auto digits = in.take(hex_digits);
    return numbered(digits.substr(digits.size() - std::min<std::size_t>(digits.size(), 2)), 16);
  }
  const auto letter = letters.find(c);
  return letter != std::string_view::npos ? meanings[letter] : c;
}

std::string_view mark(Scanner& in) {
  for (const std::string_view two : {"->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"})
    if (in.accept(two)) return two;
  constexpr std::string_view single = "+-*/%&|^~!<>=?:,;.()[]{}";
  const auto found = single.find(in.next());
  return found != std::string_view::npos ? single.substr(found, 1) : std::string_view{};
}

}  // namespace

std::optional<std::string> quoted(Scanner& in, char quote) {
  std::string text;
  while (!in.done()) {
    const char c = in.next();
    if (c == quote) return text;
    if (c == '\\' && in.done()) return std::nullopt;
    text += c == '\\' ? escaped(in) : c;
  }
  return std::nullopt;
}

std::optional<std::vector<Token>> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  Scanner in(text);
  for (in.skip_blanks(); !in.done(); in.skip_blanks()) {
    const char c = in.peek();
    if (in.accept("\"") || in.accept("'")) {
      auto content = quoted(in, c);
      if (!content || (c == '\'' && content->size() != 1)) return std::nullopt;
      tokens.push_back({c == '"' ? Token::Kind::text : Token::Kind::character, std::move(*content)});
    } else if (const auto word = in.take(Scanner::letters); !word.empty()) {
      const bool digit = Scanner::digits.find(c) != std::string_view::npos;
      tokens.push_back({digit ? Token::Kind::number : Token::Kind::name, std::string(word)});
    } else {
      const auto found = mark(in);
      if (found.empty()) return std::nullopt;
      tokens.push_back({Token::Kind::mark, std::string(found)});
    }
  }
  tokens.emplace_back();
  return tokens;
}

}  // namespace perfsift::reader::print
