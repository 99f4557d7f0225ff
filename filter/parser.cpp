// The grammar, from the weakest binding to the strongest:
//
//   expression  either { "," either }
//   either      both { ("||" | "or") both }
//   both        negation { ("&&" | "and") negation }
//   negation    { "!" | "not" } test
//   test        masked [ ("==" | "!=" | "<" | "<=" | ">" | ">=" | "=~" | "!~") masked | ["not"] "in" set ]
//             | "has" NAME | ("stack" | "waker") "has" (TEXT | group) | "stack" "is" "truncated"
//             | "within" NUMBER "of" group | "between" group "and" group
//   set         "{" element { "," element } "}" | element
//   element     primary [ ".." primary ]
//   masked      primary [ "&" primary ]
//   primary     NAME [ "(" [ primary { "," primary } ] ")" ] | NUMBER | TEXT | group
//   group       "(" expression ")"

#include <algorithm>
#include <array>
#include <utility>

#include "filter/syntax.h"

namespace perfsift::filter {
namespace {

constexpr std::size_t deepest = 100;
constexpr std::size_t longest = std::size_t{1} << 20;
constexpr std::array<std::string_view, 8> comparisons = {"==", "!=", "<", "<=", ">", ">=", "=~", "!~"};

class Parser {
 public:
  explicit Parser(const FilterText& source) : source_(source), tokens_(tokens_of(source)) {}

  Syntax all() {
    if (peek().kind == TokenKind::end) fail("there is no expression");
    Syntax whole = expression();
    if (peek().is(")") || peek().is("}")) fail("this closes a bracket that was not opened");
    if (peek().kind != TokenKind::end) fail("expected an operator, such as == or &&");
    return whole;
  }

 private:
  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  const Token& take() {
    const Token& token = peek();
    if (token.kind != TokenKind::end) ++at_;
    return token;
  }
  bool take_if(std::string_view wanted) { return peek().is(wanted) && (take(), true); }
  const Token& expect(std::string_view wanted) {
    if (!peek().is(wanted)) fail("expected " + std::string(wanted));
    return take();
  }
  const Token& expect(TokenKind kind, const std::string& what) {
    if (peek().kind != kind) fail("expected " + what);
    return take();
  }
  [[noreturn]] void fail(const std::string& message) const {
    const Token& token = peek();
    if (token.kind == TokenKind::end) fail_at(source_, token.place, message + "; the expression ends here");
    fail_at(source_, token.place, message);
  }

  static Syntax leaf(SyntaxKind kind, const Token& token) {
    return {.kind = kind, .token = token, .place = token.place, .inside = token.place, .parts = {}};
  }
  static Syntax node(SyntaxKind kind, const Token& token, std::vector<Syntax> parts) {
    const Span place{std::min(token.place.begin, parts.front().place.begin), parts.back().place.end};
    return {.kind = kind, .token = token, .place = place, .inside = place, .parts = std::move(parts)};
  }

  // Parses one or several parts with operators between them.
  template <typename Part, typename IsOperator>
  Syntax list(SyntaxKind kind, Part&& part, IsOperator&& is_operator) {
    std::vector<Syntax> parts;
    parts.push_back(part());
    const Token op = peek();
    while (is_operator(peek())) {
      take();
      parts.push_back(part());
    }
    return parts.size() == 1 ? std::move(parts.front()) : node(kind, op, std::move(parts));
  }

  Syntax expression() {
    return list(
        SyntaxKind::all_of, [this] { return either(); }, [](const Token& token) { return token.is(","); });
  }
  Syntax either() {
    return list(
        SyntaxKind::any_of, [this] { return both(); },
        [](const Token& token) { return token.is("||") || token.is("or"); });
  }
  Syntax both() {
    return list(
        SyntaxKind::all_of, [this] { return negation(); },
        [](const Token& token) { return token.is("&&") || token.is("and"); });
  }

  Syntax negation() {
    const Token first = peek();
    if (!take_if("!") && !take_if("not")) return test();
    const Deeper deeper(*this);
    std::vector<Syntax> parts;
    parts.push_back(negation());
    return node(SyntaxKind::not_, first, std::move(parts));
  }

  Syntax test() {
    const Token first = peek();
    if (take_if("has")) return recorded(first);
    if (take_if("within")) return within(first);
    if (take_if("between")) return between(first);
    if (first.is("stack") || first.is("waker")) return stack();
    Syntax left = masked();
    const Token op = peek();
    if (std::ranges::find(comparisons, op.text) != comparisons.end() && op.kind == TokenKind::operator_) {
      take();
      std::vector<Syntax> parts;
      parts.push_back(std::move(left));
      parts.push_back(masked());
      return node(SyntaxKind::comparison, op, std::move(parts));
    }
    if (op.is("in") || (op.is("not") && peek(1).is("in"))) {
      if (take().is("not")) take();
      return membership(op, std::move(left));
    }
    return left;
  }

  Syntax membership(const Token& op, Syntax left) {
    std::vector<Syntax> parts;
    parts.push_back(std::move(left));
    if (take_if("{")) {
      do {
        parts.push_back(element());
      } while (take_if(","));
      const Token& end = expect("}");
      Syntax whole = node(SyntaxKind::membership, op, std::move(parts));
      whole.place.end = whole.inside.end = end.place.end;
      return whole;
    }
    parts.push_back(element());
    return node(SyntaxKind::membership, op, std::move(parts));
  }

  Syntax element() {
    Syntax from = primary();
    if (!peek().is("..")) return from;
    const Token dots = take();
    std::vector<Syntax> parts;
    parts.push_back(std::move(from));
    parts.push_back(primary());
    return node(SyntaxKind::range, dots, std::move(parts));
  }

  Syntax masked() {
    Syntax left = primary();
    if (!peek().is("&")) return left;
    const Token op = take();
    std::vector<Syntax> parts;
    parts.push_back(std::move(left));
    parts.push_back(primary());
    return node(SyntaxKind::mask, op, std::move(parts));
  }

  Syntax primary() {
    const Token token = peek();
    switch (token.kind) {
      case TokenKind::name:
        take();
        return peek().is("(") ? call(token) : leaf(SyntaxKind::name, token);
      case TokenKind::number:
        return leaf(SyntaxKind::number, take());
      case TokenKind::text:
        return leaf(SyntaxKind::text, take());
      default:
        if (token.is("(")) return group();
        fail("expected a field, a number, a text or '('");
    }
  }

  Syntax group() {
    const Deeper deeper(*this);
    const Token open = expect("(");
    Syntax inner = expression();
    const Token& close = expect(")");
    inner.place = {open.place.begin, close.place.end};
    return inner;
  }

  Syntax call(const Token& function) {
    const Deeper deeper(*this);
    expect("(");
    Syntax call = leaf(SyntaxKind::call, function);
    if (!peek().is(")")) {
      do {
        call.parts.push_back(primary());
      } while (take_if(","));
    }
    call.place.end = call.inside.end = expect(")").place.end;
    return call;
  }

  Syntax recorded(const Token& first) {
    const Token name = expect(TokenKind::name, "a field");
    Syntax whole = leaf(SyntaxKind::recorded, name);
    whole.place.begin = whole.inside.begin = first.place.begin;
    return whole;
  }

  Syntax stack() {
    const Token first = take();
    if (first.is("stack") && take_if("is")) {
      Syntax whole = leaf(SyntaxKind::stack_truncated, first);
      whole.place.end = whole.inside.end = expect("truncated").place.end;
      return whole;
    }
    if (!take_if("has")) {
      fail(first.is("stack") ? "expected has or is: stack has \"malloc\", stack is truncated"
                             : "expected has: waker has \"malloc\"");
    }
    std::vector<Syntax> parts;
    if (peek().kind != TokenKind::text && !peek().is("(")) fail("expected a text or '('");
    parts.push_back(primary());
    return node(SyntaxKind::stack_has, first, std::move(parts));
  }

  Syntax within(const Token& first) {
    std::vector<Syntax> parts;
    parts.push_back(leaf(SyntaxKind::number, expect(TokenKind::number, "a duration, as 5ms is one")));
    expect("of");
    parts.push_back(group());
    return node(SyntaxKind::within, first, std::move(parts));
  }

  Syntax between(const Token& first) {
    std::vector<Syntax> parts;
    parts.push_back(group());
    expect("and");
    parts.push_back(group());
    return node(SyntaxKind::between, first, std::move(parts));
  }

  // Counts the depth of nested expressions.
  class Deeper {
   public:
    explicit Deeper(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > deepest) parser_.fail("expressions are nested deeper than " + std::to_string(deepest));
    }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    Parser& parser_;
  };

  const FilterText& source_;
  const std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

Syntax parse(const FilterText& source) {
  if (source.text.size() > longest) fail_at(source, {}, "an expression may have at most 1 MiB");
  return Parser(source).all();
}

}  // namespace perfsift::filter
