#include "filter/lexer.h"

#include <algorithm>
#include <array>

namespace perfsift::filter {
namespace {

// An operator that starts with another one comes before it.
constexpr std::array<std::string_view, 20> operators = {"&&", "||", "==", "!=", "<=", ">=", "=~", "!~", "..", "!",
                                                        "<",  ">",  "&",  ",",  "(",  ")",  "{",  "}",  "+",  "-"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_of_name(char c) { return is_letter(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Lexer {
 public:
  explicit Lexer(const FilterText& source) : source_(source), text_(source.text) {}

  std::vector<Token> all() {
    std::vector<Token> tokens;
    do {
      tokens.push_back(next());
    } while (tokens.back().kind != TokenKind::end);
    return tokens;
  }

 private:
  char at(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  Token token_from(std::size_t begin, TokenKind kind) const {
    const Span place{begin, at_};
    return {.kind = kind, .place = place, .text = place.of(text_)};
  }

  void skip_blanks() {
    for (; at_ < text_.size(); ++at_) {
      if (at() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
      if (!is_blank(at())) return;
    }
  }

  Token next() {
    skip_blanks();
    const std::size_t begin = at_;
    if (at_ >= text_.size()) return token_from(text_.size(), TokenKind::end);
    if (is_letter(at())) return name();
    if (is_digit(at()) || (at() == '-' && is_digit(at(1)))) return number();
    if (at() == '"' || at() == '\'') return quoted();
    for (const std::string_view op : operators) {
      if (!text_.substr(at_).starts_with(op)) continue;
      at_ += op.size();
      return token_from(begin, TokenKind::operator_);
    }
    if (at() == '=') fail_at(source_, {begin, begin + 1}, "'=': equal is written ==");
    if (at() == '|') fail_at(source_, {begin, begin + 1}, "'|': or is written ||");
    fail_at(source_, {begin, begin + 1}, "no part of an expression begins like this");
  }

  // A name goes on behind '.' and ':' if a letter follows: mem.op, sched:sched_switch.prev_pid; and with a decimal
  // place behind a digit: p99.9.
  Token name() {
    const std::size_t begin = at_;
    const auto goes_on = [&] {
      if (is_of_name(at())) return true;
      if (at() != '.' && at() != ':') return false;
      return is_letter(at(1)) || (at() == '.' && is_digit(text_[at_ - 1]) && is_digit(at(1)));
    };
    while (goes_on()) ++at_;
    return token_from(begin, TokenKind::name);
  }

  Token number() {
    const std::size_t begin = at_;
    if (at() == '-') ++at_;
    while (is_of_name(at())) ++at_;
    if (at() == '.' && is_digit(at(1))) {
      ++at_;
      while (is_of_name(at())) ++at_;
    }
    if (at() == '%') ++at_;
    return token_from(begin, TokenKind::number);
  }

  Token quoted() {
    const std::size_t begin = at_;
    const char quote = at();
    for (++at_; at_ < text_.size() && at() != quote; ++at_) {
      if (at() == '\\' && at_ + 1 < text_.size()) ++at_;
    }
    if (at_ >= text_.size()) fail_at(source_, {begin, begin + 1}, "the text that begins here has no end");
    ++at_;
    return token_from(begin, TokenKind::text);
  }

  const FilterText& source_;
  const std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokens_of(const FilterText& source) { return Lexer(source).all(); }

}  // namespace perfsift::filter
