#include "filter/budget/assertion_parser.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/number_in.h"
#include "filter/literal.h"
#include "filter/operand.h"
#include "filter/syntax_error.h"

namespace perfsift::filter {
namespace {

constexpr std::string_view never = "never";
constexpr std::string_view baseline = "baseline";

struct WaitPartName {
  std::string_view name;
  WaitPart part;
};
constexpr WaitPartName wait_parts[] = {
    {"offcpu", WaitPart::off_cpu}, {"blocked", WaitPart::blocked}, {"runqueue", WaitPart::run_queue}};

std::optional<Comparison> comparison_of(const Token& token) {
  if (token.is("==")) return Comparison::equal;
  if (token.is("<")) return Comparison::less;
  if (token.is("<=")) return Comparison::less_equal;
  if (token.is(">")) return Comparison::greater;
  if (token.is(">=")) return Comparison::greater_equal;
  return std::nullopt;
}

std::string_view unit_name(BudgetUnit unit) {
  switch (unit) {
    case BudgetUnit::percent:
      return "a share, as 2% is one";
    case BudgetUnit::nanoseconds:
      return "a duration, as 100us is one";
    case BudgetUnit::count:
      return "a number";
  }
  return {};
}

class AssertionParser {
 public:
  explicit AssertionParser(const FilterText& source) : source_(source), tokens_(tokens_of(source)) {}

  std::optional<Assertion> assertion() {
    if (peek().kind == TokenKind::end) return std::nullopt;
    begin_ = peek().place.begin;
    peek().is(never) ? read_never() : read_measured();
    if (peek().kind != TokenKind::end) fail("expected the end of the line: each line has one assertion");
    result_.text = Span{begin_, last_end_}.of(source_.text);
    result_.column = columns_before(begin_) + 1;
    return std::move(result_);
  }

 private:
  const Token& peek() const { return tokens_[at_]; }
  Token take() {
    const Token token = peek();
    if (token.kind != TokenKind::end) ++at_, last_end_ = token.place.end;
    return token;
  }
  bool take_if(std::string_view wanted) { return peek().is(wanted) && (take(), true); }
  [[noreturn]] void fail(const std::string& message) const { fail_at(source_, peek().place, message); }
  [[noreturn]] void fail(const Token& at, const std::string& message) const { fail_at(source_, at.place, message); }
  static std::string quoted(const Token& token) { return "'" + std::string(token.text) + "'"; }

  // Columns are characters, as SyntaxError counts them.
  std::size_t columns_before(std::size_t place) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        source_.text.substr(0, place), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  }

  // --- never ---

  void read_never() {
    take();
    result_.quantity = Quantity::never;
    result_.of = MeasureOf::function;
    result_.unit = BudgetUnit::count;
    result_.comparison = Comparison::equal;
    result_.function = function_here("never \"page_fault\" under \"on_packet\"");
    constexpr std::string_view meant[] = {"below", "beneath", "inside", "in", "within", "from"};
    if (std::ranges::find(meant, peek().text) != std::end(meant)) fail(quoted(peek()) + ": did you mean under?");
    if (take_if("under")) result_.under = function_here("under \"on_packet\"");
  }

  // TEXT, =~ TEXT, or an expression in parentheses.
  FunctionPattern function_here(std::string_view example) {
    const Token first = peek();
    if (first.kind == TokenKind::text) return take(), pattern(first.place);
    if (first.is("=~")) {
      take();
      if (peek().kind != TokenKind::text) fail("expected a regular expression in quotes");
      return pattern({first.place.begin, take().place.end});
    }
    if (first.is("(")) {
      const Span inside = parentheses();
      return pattern(inside);
    }
    fail(fmt::format("expected the name of a function in quotes: {}", example));
  }

  // The text inside the parentheses that begin here.
  Span parentheses() {
    const Token open = take();
    std::size_t depth = 1;
    const std::size_t begin = open.place.end;
    for (; peek().kind != TokenKind::end; take()) {
      if (peek().is("(")) ++depth;
      if (peek().is(")") && --depth == 0) return {begin, take().place.begin};
    }
    fail(open, "this parenthesis is not closed");
  }

  // --- expressions ---

  // Calls parse(text), and moves the mistakes in it to their place in the line. `offset`: where the line has the first
  // byte of the text that parse() gets; `added`: bytes in front of it that the line does not have.
  Filter parsed(const std::string& text, std::size_t offset, std::size_t added, Subject subject) const {
    try {
      return Filter::parse({{.origin = source_.origin, .text = text}}, subject);
    } catch (const SyntaxError& error) {
      const std::size_t end = offset + text.size() - added;
      const auto moved = [&](std::size_t place) {
        return std::min(place > added ? offset + place - added : offset, std::min(end, source_.text.size()));
      };
      fail_at(source_, {moved(error.place.begin), moved(error.place.end)}, error.message);
    }
  }

  // A name, =~ and a regular expression, or an expression about a frame.
  FunctionPattern pattern(Span place) const {
    const FilterText inside{.origin = source_.origin, .text = std::string(place.of(source_.text))};
    const std::vector<Token> tokens = tokens_of(inside);
    if (tokens.front().kind == TokenKind::end) fail_at(source_, place, "expected the name of a function in quotes");
    const bool is_name = tokens.front().kind == TokenKind::text && tokens[1].kind == TokenKind::end;
    const bool is_unquoted = tokens.front().kind == TokenKind::name && tokens[1].kind == TokenKind::end;
    if (is_unquoted) {
      fail_at(source_, place,
              fmt::format("a name of a function needs quotes: \"{}\"", std::string(tokens.front().text)));
    }
    const std::string before = is_name ? "stack has " : tokens.front().is("=~") ? "stack has (sym " : "stack has (";
    const std::string after = is_name ? "" : ")";
    FunctionPattern result{
        .text = std::string(Span{tokens.front().place.begin, tokens[tokens.size() - 2].place.end}.of(inside.text)),
        .of_frame = parsed(before + inside.text + after, place.begin, before.size(), Subject::sample),
        .asks_binary = false};
    check_is_about_functions(result.of_frame, place);
    result.asks_binary = result.of_frame.uses(Fact::dso);
    return result;
  }

  // A profile has the names of functions, and nothing of single samples.
  void check_is_about_functions(const Filter& filter, Span place) const {
    constexpr std::uint64_t allowed = bit_of(Fact::sym) | bit_of(Fact::dso) | bit_of(Fact::cpumode);
    if ((filter.needs().facts & ~allowed) == 0 && filter.tracepoint_fields().empty()) return;
    fail_at(source_, place, "a function has sym, dso and cpumode; share(…) asks about samples");
  }

  // --- measured values ---

  void read_measured() {
    const Token name = take();
    if (name.kind != TokenKind::name) fail(name, "expected what is measured: total(\"malloc\") < 2%");
    const Measure* const measure = find_measure(name.text, result_.percentile);
    if (measure == nullptr) fail_unknown(name);
    result_.quantity = measure->quantity;
    result_.of = measure->of;
    result_.unit = measure->unit;
    read_arguments(*measure, name);
    const Token op = take();
    const auto comparison = comparison_of(op);
    if (!comparison) fail(op, fmt::format("expected <, <=, >, >= or ==: {}", measure->form));
    result_.comparison = *comparison;
    read_limit(op);
  }

  [[noreturn]] void fail_unknown(const Token& name) const {
    std::vector<std::string_view> names{never};
    for (const Measure& known : measures()) names.push_back(known.name);
    const std::string_view near = nearest(name.text, names);
    if (near.empty() && find_field(name.text) != nullptr) {
      fail(name, fmt::format("{} is a field of samples: share({} …) < 5%", quoted(name), std::string(name.text)));
    }
    const bool is_percentile = name.text.size() > 1 && name.text.starts_with('p') &&
                               name.text.find_first_not_of("0123456789.", 1) == std::string_view::npos;
    if (is_percentile) fail(name, quoted(name) + ": percentiles are above p0 and below p100, such as p50 and p99.9");
    fail(name, fmt::format("{}: no measure has this name{}", quoted(name),
                           near.empty() ? "; perfsift explain --measures lists all"
                                        : "; did you mean " + std::string(near) + "?"));
  }

  void read_arguments(const Measure& measure, const Token& name) {
    if (!peek().is("(")) {
      if (measure.of == MeasureOf::quality || measure.of == MeasureOf::memory) return;
      fail(fmt::format("expected (: {}", measure.form));
    }
    if (measure.of == MeasureOf::quality)
      fail(fmt::format("{} is of the whole recording: {}", quoted(name), measure.form));
    const Span inside = parentheses();
    switch (measure.of) {
      case MeasureOf::function:
        result_.function = pattern(inside);
        return;
      case MeasureOf::samples:
        keep_only(inside, Subject::sample);
        return;
      case MeasureOf::waits:
        return read_wait(inside, measure);
      case MeasureOf::memory:
        return read_access(inside);
      case MeasureOf::quality:
        return;
    }
  }

  // Several expressions are asked about each sample, by all threads, in one pass.
  void keep_only(Span place, Subject subject) {
    result_.filter = parsed(std::string(place.of(source_.text)), place.begin, 0, subject);
    if (result_.filter.needs_order()) fail_at(source_, place, "every(…) and first(…) are not for budgets");
    const std::string_view text = place.of(source_.text);
    const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
    result_.condition = text.substr(first, last - first + 1);
  }

  // offcpu, or offcpu and an expression.
  void read_wait(Span inside, const Measure& measure) {
    const FilterText text{.origin = source_.origin, .text = std::string(inside.of(source_.text))};
    const std::vector<Token> tokens = tokens_of(text);
    const Token& first = tokens.front();
    const Span place{inside.begin + first.place.begin, inside.begin + first.place.end};
    const auto* const part = std::ranges::find(wait_parts, first.text, &WaitPartName::name);
    if (part == std::end(wait_parts)) {
      const std::string_view names[] = {wait_parts[0].name, wait_parts[1].name, wait_parts[2].name};
      const std::string_view near = nearest(first.text, names);
      fail_at(source_, place,
              near.empty() ? fmt::format("expected offcpu, blocked or runqueue: {}", measure.form)
                           : fmt::format("{}: did you mean {}?", quoted(first), near));
    }
    result_.wait = part->part;
    const Token& comma = tokens[1];
    if (comma.kind == TokenKind::end) return;
    if (!comma.is(",")) {
      fail_at(source_, {inside.begin + comma.place.begin, inside.begin + comma.place.end},
              "expected a comma and an expression about intervals: p99(offcpu, comm == \"rx\")");
    }
    keep_only({inside.begin + comma.place.end, inside.end}, Subject::interval);
  }

  // The name of a variable, or an expression about samples.
  void read_access(Span inside) {
    const FilterText text{.origin = source_.origin, .text = std::string(inside.of(source_.text))};
    const std::vector<Token> tokens = tokens_of(text);
    const bool is_name = tokens.front().kind == TokenKind::text && tokens[1].kind == TokenKind::end;
    if (!is_name) return keep_only(inside, Subject::sample);
    constexpr std::string_view variable = "addr_sym == ";
    result_.condition = std::string(variable) + std::string(tokens.front().text);
    result_.filter = parsed(std::string(variable) + text.text, inside.begin, variable.size(), Subject::sample);
  }

  // --- limits ---

  void read_limit(const Token& op) {
    const std::size_t begin = peek().place.begin;
    if (peek().is(baseline)) {
      read_baseline(op);
    } else {
      const Token number = take();
      result_.limit.value = value_of(number);
    }
    result_.limit.text = Span{begin, last_end_}.of(source_.text);
    const bool is_exact = result_.unit == BudgetUnit::count || result_.limit.value == 0;
    if (result_.comparison == Comparison::equal && (!is_exact || result_.limit.of_baseline)) {
      fail(op, "a measured value varies from run to run, so == is for 0 and for counts; choose <, <=, > or >=");
    }
  }

  // The value of a number in the unit of what is measured.
  double value_of(const Token& token) {
    if (token.kind != TokenKind::number) {
      fail(token, fmt::format("expected {}, or baseline + 10%", unit_name(result_.unit)));
    }
    const auto literal = parse_literal(token.text);
    const std::string_view digits = token.text.substr(0, token.text.find('%'));
    if (!literal && token.text.ends_with('%') && number_in<double>(digits).value_or(0) > 100)
      fail(token, quoted(token) + ": a share is at most 100%");
    if (!literal) fail(token, quoted(token) + ": not a number, as 12, 64k, 50us, 1.5s and 10% are");
    if (literal->number.negative || literal->real < 0) fail(token, "measured values are never below 0");
    if (literal->kind == Literal::Kind::share && result_.of == MeasureOf::memory) result_.unit = BudgetUnit::percent;
    const bool is_zero = literal->kind == Literal::Kind::plain && literal->number.bits == 0;
    if (!is_zero && !has_unit(literal->kind)) {
      fail(token, fmt::format("{}: expected {}", quoted(token), unit_name(result_.unit)));
    }
    constexpr double percent = 100;
    return literal->kind == Literal::Kind::share ? literal->real * percent : static_cast<double>(literal->number.bits);
  }

  bool has_unit(Literal::Kind kind) const {
    switch (result_.unit) {
      case BudgetUnit::percent:
        return kind == Literal::Kind::share;
      case BudgetUnit::nanoseconds:
        return kind == Literal::Kind::duration;
      case BudgetUnit::count:
        return kind == Literal::Kind::plain || kind == Literal::Kind::size;
    }
    return false;
  }

  // baseline, baseline + 10%, baseline + 0.5 points, baseline - 20us.
  void read_baseline(const Token& op) {
    take();
    result_.limit.of_baseline = true;
    if (op.is("==")) fail(op, "two runs are never equal: choose <, <=, > or >=");
    Token number = peek();
    const bool minus = number.kind == TokenKind::number && number.text.starts_with('-');
    double sign = minus ? -1 : 1;
    if (number.kind == TokenKind::end) return;
    if (!minus) {
      if (!peek().is("+") && !peek().is("-")) fail("expected + or -: baseline + 10%, baseline + 0.5 points");
      sign = take().is("-") ? -1 : 1;
      number = peek();
    }
    if (number.kind != TokenKind::number) fail("expected how much: baseline + 10%, baseline + 0.5 points");
    take();
    read_allowance(number, number.text.substr(minus ? 1 : 0), sign);
  }

  void read_allowance(const Token& number, std::string_view digits, double sign) {
    constexpr double percent = 100;
    const std::optional<double> real = number_in<double>(digits.substr(0, digits.find('%')));
    if (digits.ends_with('%')) {
      if (!real) fail(number, quoted(number) + ": not a number, as 10% is one");
      result_.limit.relative = sign * *real / percent;
      if (result_.limit.relative < -1) fail(number, "measured values are never below 0");
      return;
    }
    if (result_.unit == BudgetUnit::percent) {
      if (!take_if("points") && !take_if("point")) {
        fail(number, quoted(number) +
                         ": of the baseline's value or of all samples? write baseline + 10%, or "
                         "baseline + 0.5 points");
      }
      if (!real) fail(number, quoted(number) + ": not a number, as 0.5 is one");
      result_.limit.value = sign * *real;
      return;
    }
    Token positive = number;
    positive.text = digits;
    result_.limit.value = sign * value_of(positive);
  }

  const FilterText& source_;
  const std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
  std::size_t last_end_ = 0;
  Assertion result_;
};

}  // namespace

std::optional<Assertion> parse_assertion(const FilterText& source) { return AssertionParser(source).assertion(); }

}  // namespace perfsift::filter
