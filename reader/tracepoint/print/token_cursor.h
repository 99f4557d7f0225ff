// A place among the tokens of a print format, for parsers: what is there, and the next token.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reader/tracepoint/print/tokens.h"

namespace perfsift::reader::print {

// After fail() the place is at the end, and the rest is not read. Not thread-safe.
class TokenCursor {
 public:
  explicit TokenCursor(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  // Counts a level while the level is parsed.
  class Nesting {
   public:
    explicit Nesting(TokenCursor& cursor) : cursor_(cursor), level_(cursor.level_) { cursor_.deepen(); }
    ~Nesting() { cursor_.level_ = level_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    TokenCursor& cursor_;
    int level_;
  };

  const Token& token(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  bool at_end() const { return token().kind == Token::Kind::end; }
  bool at(std::string_view mark, std::size_t ahead = 0) const {
    return token(ahead).kind == Token::Kind::mark && token(ahead).text == mark;
  }
  bool at_name(std::string_view name) const { return token().kind == Token::Kind::name && token().text == name; }
  std::string take() {
    std::string text = token().text;
    if (!at_end()) ++at_;
    return text;
  }
  bool accept(std::string_view mark) {
    if (!at(mark)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view mark) {
    if (!accept(mark)) fail();
  }
  std::string name() {
    if (token().kind != Token::Kind::name) fail();
    return take();
  }
  // "a" "b" is one text.
  std::string literal() {
    if (token().kind != Token::Kind::text) fail();
    std::string text;
    while (token().kind == Token::Kind::text) text += take();
    return text;
  }
  // Moves to the end token, where all loops end.
  void fail() {
    ok_ = false;
    at_ = tokens_.size() - 1;
  }
  bool ok() const { return ok_; }

  // Every bracket and every operator is a level.
  void deepen() {
    if (++level_ > deepest) fail();
  }

 private:
  // Linux 6.18 has formats of several hundred levels.
  static constexpr int deepest = 600;

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int level_ = 0;
  bool ok_ = true;
};

}  // namespace perfsift::reader::print
