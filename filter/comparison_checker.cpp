#include "filter/comparison_checker.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/lower_case.h"
#include "filter/predicates.h"

namespace perfsift::filter {
namespace {

bool is_number(FieldType type) {
  return type == FieldType::id || type == FieldType::count || type == FieldType::address || type == FieldType::time;
}

TextPattern::Kind pattern_kind(FieldType type) {
  if (type == FieldType::path) return TextPattern::Kind::path;
  return type == FieldType::event ? TextPattern::Kind::event : TextPattern::Kind::name;
}

bool takes(FieldType type, Literal::Kind literal) {
  switch (literal) {
    case Literal::Kind::plain:
      return true;
    case Literal::Kind::size:
      return type == FieldType::count || type == FieldType::address;
    case Literal::Kind::duration:
      return type == FieldType::count || type == FieldType::time;
    case Literal::Kind::share:
      return type == FieldType::time;
    case Literal::Kind::decimal:
      return false;
  }
  return false;
}

std::optional<Comparison> comparison_of(std::string_view op) {
  if (op == "==") return Comparison::equal;
  if (op == "!=") return Comparison::not_equal;
  if (op == "<") return Comparison::less;
  if (op == "<=") return Comparison::less_equal;
  if (op == ">") return Comparison::greater;
  if (op == ">=") return Comparison::greater_equal;
  return std::nullopt;
}

// The comparison with its sides exchanged.
Comparison turned(Comparison comparison) {
  switch (comparison) {
    case Comparison::less:
      return Comparison::greater;
    case Comparison::less_equal:
      return Comparison::greater_equal;
    case Comparison::greater:
      return Comparison::less;
    case Comparison::greater_equal:
      return Comparison::less_equal;
    default:
      return comparison;
  }
}

bool is_equality(Comparison comparison) {
  return comparison == Comparison::equal || comparison == Comparison::not_equal;
}

// The numbers for which the comparison with `limit` is true; for not_equal, the numbers for which it is false.
std::vector<Interval> interval_of(Comparison comparison, const Literal& limit) {
  if (limit.kind == Literal::Kind::share) {
    if (comparison == Comparison::less || comparison == Comparison::less_equal) return {{.until_share = limit.real}};
    return {{.from_share = limit.real}};
  }
  const Number number = limit.number;
  const auto next = [&] {
    return Number{.bits = number.bits + 1, .negative = number.negative && number.bits + 1 != 0};
  };
  const auto previous = [&] {
    return Number{.bits = number.bits - 1, .negative = number.negative || number.bits == 0};
  };
  switch (comparison) {
    case Comparison::less:
      if (number == lowest_number) return {};
      return {{.until = previous()}};
    case Comparison::less_equal:
      return {{.until = number}};
    case Comparison::greater:
      if (number == highest_number) return {};
      return {{.from = next()}};
    case Comparison::greater_equal:
      return {{.from = number}};
    default:
      return {{.from = number, .until = number}};
  }
}

}  // namespace

PredicatePtr ComparisonChecker::comparison(const Syntax& syntax, const Scope& scope) {
  if (syntax.token.text == "=~" || syntax.token.text == "!~") return regex(syntax, scope);
  Comparison how = *comparison_of(syntax.token.text);
  const Syntax* left_side = &syntax.parts[0];
  const Syntax* right_side = &syntax.parts[1];
  const bool constant_first = left_side->kind == SyntaxKind::number || left_side->kind == SyntaxKind::text;
  if (constant_first) {
    std::swap(left_side, right_side);
    how = turned(how);
  }
  const Operand left = operands_.read(*left_side, scope);
  if (left.is_constant()) context_.fail(syntax, "this compares two constants");
  if (left.is_of_type(FieldType::words) || left.is_of_type(FieldType::flag)) {
    return words(syntax, left, {right_side}, how);
  }
  if (scope.subject == Subject::interval && left.is_text_field()) check_is_no_text(*right_side, scope);
  const Operand right = operands_.read(*right_side, scope);
  if (!is_equality(how) && (left.is_text_field() || right.kind == Operand::Kind::text)) {
    context_.fail_at(syntax.token.place, "text has no order; there are ==, !=, =~, !~ and in");
  }
  PredicatePtr test = right.is_constant() ? with_constant(left, how, right) : with_other(syntax, left, how, right);
  const Operand& decisive = right.kind == Operand::Kind::tracepoint ? right : left;
  return with_info(std::move(test), operands_.info_of(syntax, decisive, right.is_share()));
}

PredicatePtr ComparisonChecker::with_constant(const Operand& left, Comparison how, const Operand& right) {
  if (left.is_of_type(FieldType::ratio)) return ratio(how, right);
  const bool in = how != Comparison::not_equal;
  if (right.kind == Operand::Kind::text) return text_test(left, {&right}, in);
  check_number(left, right);
  if (right.number.kind == Literal::Kind::share && is_equality(how)) {
    context_.fail(*right.syntax, "a share of the recording is compared with < and >=, or in a range: time in 10%..20%");
  }
  return number_test(left, interval_of(how, right.number), in);
}

PredicatePtr ComparisonChecker::ratio(Comparison how, const Operand& right) {
  const bool fits = right.kind == Operand::Kind::number &&
                    (right.number.kind == Literal::Kind::decimal || right.number.kind == Literal::Kind::plain);
  if (!fits) context_.fail(*right.syntax, "expected a number, as 0.75 is one");
  return std::make_unique<RatioTest>(how, right.number.real);
}

PredicatePtr ComparisonChecker::with_other(const Syntax& syntax, const Operand& left, Comparison how,
                                           const Operand& right) {
  const Cost cost = std::max(left.cost(), right.cost());
  const auto is_tracepoint = [](const Operand& side) { return side.kind == Operand::Kind::tracepoint; };
  if (is_tracepoint(left) && is_tracepoint(right)) {
    return std::make_unique<TracepointPairTest>(cost, left.tracepoint_source(), how, right.tracepoint_source());
  }
  if (is_tracepoint(left) || is_tracepoint(right)) {
    const Operand& field = is_tracepoint(left) ? right : left;
    const Operand& other = is_tracepoint(left) ? left : right;
    check_is_meant(field, other);
    return std::make_unique<TracepointPairTest>(
        cost, other.tracepoint_source(), is_tracepoint(left) ? how : turned(how), field.fact(), field.is_text_field());
  }
  if (left.is_text_field() && right.is_text_field()) {
    return std::make_unique<TextPairTest>(cost, left.fact(), how == Comparison::equal, right.fact());
  }
  if (left.is_number_field() && right.is_number_field()) {
    return std::make_unique<NumberPairTest>(cost, left.fact(), how, right.fact());
  }
  context_.fail(syntax, "a " + std::string(name_of(left.field->type)) + " is not compared with a " +
                            std::string(name_of(right.field->type)));
}

// A name without quotes beside a field of text is more often a text than a field of a tracepoint.
void ComparisonChecker::check_is_meant(const Operand& field, const Operand& other) const {
  const bool can = field.is_text_field() || field.is_number_field();
  const bool qualified = !context_.needs.tracepoint_fields[other.tracepoint].event.empty();
  if (!can)
    context_.fail(*other.syntax,
                  context_.quoted(*other.syntax) + " is nothing that " + context_.written(*field.syntax) + " can be");
  if (field.is_text_field() && !qualified) fail_unquoted(*other.syntax);
}

// Refuses, for intervals, a name beside a field of text that is no field itself.
void ComparisonChecker::check_is_no_text(const Syntax& other, const Scope& scope) const {
  if (other.kind == SyntaxKind::name && find_field(other.token.text, scope.subject) == nullptr) fail_unquoted(other);
}

void ComparisonChecker::fail_unquoted(const Syntax& text) const {
  context_.fail(text, "text is written in quotes: \"" + context_.written(text) + "\"");
}

void ComparisonChecker::check_number(const Operand& left, const Operand& right) const {
  const Syntax& at = *right.syntax;
  if (left.kind == Operand::Kind::tracepoint) {
    if (right.number.kind == Literal::Kind::share || right.number.kind == Literal::Kind::decimal) {
      context_.fail(at, context_.quoted(at) + ": fields of tracepoints are whole numbers and texts");
    }
    return;
  }
  if (left.is_text_field()) context_.fail(at, context_.written(*left.syntax) + " is text, which is written in quotes");
  if (!is_number(left.field->type)) context_.fail(at, context_.written(*left.syntax) + " is no number");
  if (takes(left.field->type, right.number.kind)) return;
  if (left.field->type == FieldType::time)
    context_.fail(at, context_.quoted(at) + ": a time has a unit: " + context_.written(at) + "s");
  context_.fail(at, context_.quoted(at) + ": " + context_.written(*left.syntax) + " is a plain number");
}

PredicatePtr ComparisonChecker::number_test(const Operand& left, std::vector<Interval> intervals, bool in) {
  NumberSet set(std::move(intervals));
  context_.needs.shares |= set.has_shares();
  if (left.kind == Operand::Kind::tracepoint) {
    return std::make_unique<TracepointTest>(left.tracepoint_source(), std::move(set), in);
  }
  return std::make_unique<NumberTest>(left.field->cost, left.fact(), std::move(set), in);
}

PredicatePtr ComparisonChecker::text_test(const Operand& left, const std::vector<const Operand*>& texts, bool in) {
  const bool tracepoint_text = left.kind == Operand::Kind::tracepoint && !left.mask;
  if (!left.is_text_field() && !tracepoint_text) {
    context_.fail(*texts.front()->syntax, context_.written(*left.syntax) + " is no text");
  }
  const auto kind = tracepoint_text ? TextPattern::Kind::name : pattern_kind(left.field->type);
  std::vector<TextPattern> patterns;
  for (const Operand* const text : texts) patterns.push_back(TextPattern::glob(text->text, kind));
  return pattern_test(left, std::move(patterns), in);
}

PredicatePtr ComparisonChecker::pattern_test(const Operand& left, std::vector<TextPattern> patterns, bool matches) {
  if (left.kind == Operand::Kind::field) {
    return std::make_unique<TextTest>(left.field->cost, left.fact(), std::move(patterns), matches,
                                      context_.needs.memos++);
  }
  const bool is_task_state = context_.needs.tracepoint_fields[left.tracepoint].name == "prev_state";
  return std::make_unique<TracepointTest>(left.tracepoint_source(), std::move(patterns), matches, is_task_state);
}

PredicatePtr ComparisonChecker::regex(const Syntax& syntax, const Scope& scope) {
  const Operand left = operands_.read(syntax.parts[0], scope);
  const Syntax& right = syntax.parts[1];
  if (!left.is_text_field() && (left.kind != Operand::Kind::tracepoint || left.mask)) {
    context_.fail(syntax.parts[0], context_.quoted(syntax.parts[0]) + " is no text");
  }
  if (right.kind != SyntaxKind::text) context_.fail(right, "expected a regular expression in quotes");
  std::vector<TextPattern> patterns;
  try {
    patterns.push_back(TextPattern::regex(OperandReader::text_of(right.token)));
  } catch (const UsageError& error) {
    context_.fail(right, std::string("not a regular expression: ") + error.what());
  }
  return with_info(pattern_test(left, std::move(patterns), syntax.token.text == "=~"), operands_.info_of(syntax, left));
}

PredicatePtr ComparisonChecker::membership(const Syntax& syntax, const Scope& scope) {
  const bool in = syntax.token.is("in");
  const Operand left = operands_.read(syntax.parts[0], scope);
  if (left.is_constant()) context_.fail(syntax.parts[0], "expected a field: its value is looked for");
  std::vector<const Syntax*> elements;
  for (std::size_t i = 1; i < syntax.parts.size(); ++i) elements.push_back(&syntax.parts[i]);
  if (left.is_of_type(FieldType::words)) {
    return words(syntax, left, elements, in ? Comparison::equal : Comparison::not_equal);
  }
  const bool texts = elements.front()->kind == SyntaxKind::text;
  if (texts) return with_info(text_set(left, elements, in, scope), operands_.info_of(syntax, left));
  std::vector<Interval> intervals;
  for (const Syntax* const element : elements) intervals.push_back(interval(left, *element, scope));
  const bool shares = std::ranges::any_of(intervals, [](const Interval& i) { return i.from_share || i.until_share; });
  return with_info(number_test(left, std::move(intervals), in), operands_.info_of(syntax, left, shares));
}

PredicatePtr ComparisonChecker::text_set(const Operand& left, const std::vector<const Syntax*>& elements, bool in,
                                         const Scope& scope) {
  std::vector<Operand> operands;
  for (const Syntax* const element : elements) {
    if (element->kind != SyntaxKind::text) context_.fail(*element, "expected a text, as the others are");
    operands.push_back(operands_.read(*element, scope));
  }
  std::vector<const Operand*> texts;
  for (const Operand& one : operands) texts.push_back(&one);
  return text_test(left, texts, in);
}

Interval ComparisonChecker::interval(const Operand& left, const Syntax& element, const Scope& scope) {
  const bool is_range = element.kind == SyntaxKind::range;
  const Operand from = limit(left, is_range ? element.parts[0] : element, scope);
  const Operand until = limit(left, is_range ? element.parts[1] : element, scope);
  const auto share = [](const Operand& end) {
    return end.number.kind == Literal::Kind::share ? std::optional(end.number.real) : std::nullopt;
  };
  const Interval result{.from = share(from) ? lowest_number : from.number.number,
                        .until = share(until) ? highest_number : until.number.number,
                        .from_share = share(from),
                        .until_share = share(until)};
  if (!is_range && result.from_share) {
    context_.fail(element, "a share of the recording is compared with < and >=, or in a range: time in 10%..20%");
  }
  const bool wrong_way = result.until < result.from ||
                         (result.from_share && result.until_share && *result.until_share < *result.from_share);
  if (wrong_way) context_.fail(element, "the range ends before it begins");
  return result;
}

Operand ComparisonChecker::limit(const Operand& left, const Syntax& at, const Scope& scope) {
  if (at.kind != SyntaxKind::number) context_.fail(at, left.is_text_field() ? "expected a text" : "expected a number");
  Operand number = operands_.read(at, scope);
  check_number(left, number);
  return number;
}

PredicatePtr ComparisonChecker::words(const Syntax& syntax, const Operand& left,
                                      const std::vector<const Syntax*>& elements, Comparison how) {
  if (!is_equality(how)) context_.fail_at(syntax.token.place, context_.written(*left.syntax) + " has no order");
  const bool is_flag = left.field->type == FieldType::flag;
  std::uint64_t bits = 0;
  bool any = how == Comparison::equal;
  for (const Syntax* const element : elements) {
    const std::string word = word_of(*element);
    if (is_flag && word == "false") any = !any;
    bits |= is_flag && (word == "false" || word == "true") ? left.field->words.front().bits
                                                           : bits_of(*left.field, word, *element);
  }
  PredicatePtr test;
  if (left.field->fact == Fact::context) {
    test = std::make_unique<ContextTest>(left.fact(), bits, any, context_.needs.stack_memos++);
  } else {
    test = std::make_unique<BitsTest>(left.field->cost, left.fact(), bits, any);
  }
  return with_info(std::move(test), operands_.info_of(syntax, left));
}

std::string ComparisonChecker::word_of(const Syntax& syntax) const {
  if (syntax.kind == SyntaxKind::name) return std::string(syntax.token.text);
  if (syntax.kind == SyntaxKind::text) return OperandReader::text_of(syntax.token);
  context_.fail(syntax, "expected a word");
}

std::uint64_t ComparisonChecker::bits_of(const Field& field, const std::string& word, const Syntax& at) const {
  std::vector<std::string_view> names;
  for (const Word& known : field.words) {
    if (std::ranges::equal(known.name, word, {}, {}, [](char c) { return lower_case(c); })) return known.bits;
    names.push_back(known.name);
  }
  if (field.type == FieldType::flag) names = {"true", "false"};
  std::string all;
  for (const std::string_view name : names) all.append(all.empty() ? "" : ", ").append(name);
  context_.fail(at, "'" + word + "': " + std::string(field.name) + " is one of " + all);
}

PredicatePtr ComparisonChecker::by_itself(const Syntax& syntax, const Scope& scope) {
  if (syntax.kind == SyntaxKind::mask && syntax.parts[1].kind == SyntaxKind::name) {  // perf's: mem_snoop & hitm
    const Operand left = operands_.read(syntax.parts[0], scope);
    if (left.is_of_type(FieldType::words)) return words(syntax, left, {&syntax.parts[1]}, Comparison::equal);
  }
  const Operand one = operands_.read(syntax, scope);
  if (one.mask && one.kind == Operand::Kind::tracepoint) {
    return with_info(number_test(one, {{.from = Number::of(1)}}, true), operands_.info_of(syntax, one));
  }
  if (one.mask) {
    FactSource source = one.fact();
    source.mask.reset();
    return with_info(std::make_unique<BitsTest>(one.field->cost, source, *one.mask, true),
                     operands_.info_of(syntax, one));
  }
  if (one.is_of_type(FieldType::flag)) {
    auto test = std::make_unique<BitsTest>(one.field->cost, one.fact(), one.field->words.front().bits, true);
    return with_info(std::move(test), operands_.info_of(syntax, one));
  }
  context_.fail(syntax, context_.quoted(syntax) + " is not true or false by itself; compare it with something");
}

PredicatePtr ComparisonChecker::recorded(const Syntax& syntax, const Scope& scope) {
  const Operand one = operands_.name(syntax, scope);
  if (one.kind == Operand::Kind::tracepoint) {
    return with_info(std::make_unique<RecordedTest>(one.tracepoint_source()), operands_.info_of(syntax, one));
  }
  if (one.field->fact == Fact::ipc) context_.fail(syntax, "ipc is computed; ask whether it is > 0");
  return with_info(std::make_unique<RecordedTest>(one.field->cost, one.fact(), one.is_text_field()),
                   operands_.info_of(syntax, one));
}

}  // namespace perfsift::filter
