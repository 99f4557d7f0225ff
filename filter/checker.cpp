#include "filter/checker.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "filter/literal.h"
#include "filter/predicates.h"

namespace perfsift::filter {
namespace {

constexpr std::string_view no_formats = "perf does not tell a dlfilter the formats of tracepoints";
constexpr std::string_view no_end = "perf does not tell a dlfilter when the recording begins and ends";
constexpr std::string_view no_later_samples =
    "a dlfilter sees each sample once, and those that open the window come later";

bool is_text(FieldType type) { return type == FieldType::name || type == FieldType::path || type == FieldType::event; }
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

// What it is when its sides change places.
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

// The numbers that compare so with `limit`; not_equal is that of equal.
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

constexpr std::uint64_t bit_of(Fact fact) { return std::uint64_t{1} << static_cast<unsigned>(fact); }

// is_of_code()
constexpr std::uint64_t facts_of_code = 2 * bit_of(Fact::srcline) - bit_of(Fact::ip);

// One side of a comparison.
struct Operand {
  enum class Kind : std::uint8_t { field, tracepoint, number, text };
  Kind kind = Kind::number;
  const Syntax* syntax = nullptr;
  const Field* field = nullptr;
  std::size_t tracepoint = 0;
  std::optional<std::uint64_t> mask;
  Literal number;
  std::string text;

  bool is_constant() const { return kind == Kind::number || kind == Kind::text; }
  bool is_of_type(FieldType type) const { return kind == Kind::field && field->type == type; }
  bool is_text_field() const { return kind == Kind::field && is_text(field->type); }
  bool is_number_field() const { return kind == Kind::field && is_number(field->type); }
};

class Checker {
 public:
  Checker(const FilterText& source, std::size_t text, Subject subject, Filter::Needs& needs)
      : source_(source), text_(text), subject_(subject), needs_(needs) {}

  PredicatePtr predicate(const Syntax& syntax) {
    switch (syntax.kind) {
      case SyntaxKind::all_of:
        return joined(syntax, Joined::How::all);
      case SyntaxKind::any_of:
        return joined(syntax, Joined::How::any);
      case SyntaxKind::not_:
        return with_info(std::make_unique<Not>(predicate(syntax.parts[0])), {.text = "not"});
      case SyntaxKind::comparison:
        return comparison(syntax);
      case SyntaxKind::membership:
        return membership(syntax);
      case SyntaxKind::mask:
      case SyntaxKind::name:
        return by_itself(syntax);
      case SyntaxKind::recorded:
        return recorded(syntax);
      case SyntaxKind::call:
        return call(syntax);
      case SyntaxKind::stack_has:
        return stack_has(syntax);
      case SyntaxKind::stack_truncated:
        needs_stack(syntax);
        return with_info(std::make_unique<StackIsTruncated>(), info_of(syntax, "flag"));
      case SyntaxKind::within:
      case SyntaxKind::between:
        return window(syntax);
      case SyntaxKind::range:
      case SyntaxKind::number:
      case SyntaxKind::text:
        break;
    }
    fail(syntax, "this is neither true nor false; compare it with something");
  }

 private:
  [[noreturn]] void fail(const Syntax& at, const std::string& message) const { fail_at(source_, at.place, message); }
  std::string written(const Syntax& at) const { return std::string(at.place.of(source_.text)); }
  std::string quoted(const Syntax& at) const { return "'" + written(at) + "'"; }

  static PredicatePtr with_info(PredicatePtr predicate, PredicateInfo info) {
    predicate->set_info(std::move(info));
    return predicate;
  }
  PredicateInfo info_of(const Syntax& syntax, std::string_view type, std::string_view not_in_perf = {}) const {
    return {.text = std::string(syntax.inside.of(source_.text)),
            .type = std::string(type),
            .not_in_perf = std::string(not_in_perf)};
  }
  PredicateInfo info_of(const Syntax& syntax, const Operand& operand, bool with_share = false) const {
    if (operand.kind == Operand::Kind::tracepoint) return info_of(syntax, "tracepoint", no_formats);
    return info_of(syntax, name_of(operand.field->type), with_share ? no_end : operand.field->not_in_perf);
  }
  static bool has_share(const Operand& operand) {
    return operand.kind == Operand::Kind::number && operand.number.kind == Literal::Kind::share;
  }

  // --- names and literals ---

  void use(const Field& field) { use(field.fact); }
  void use(Fact fact) { needs_.facts |= bit_of(fact); }

  const Field& known(const Field& field, const Syntax& at) {
    if (field.cost == Cost::stack) needs_stack(at);
    const bool is_of_frames_alone = subject_ == Subject::interval && is_of_code(field.fact) && !field.frame;
    if (is_of_frames_alone && !in_frame_) {
      fail(at, quoted(at) + ": an interval has a stack, whose frames have it: stack has (" + std::string(field.name) +
                   " …)" + (field.fact == Fact::sym ? ", leaf, caller, root" : ""));
    }
    if (field.fact == Fact::ipc) {
      use(Fact::insn_count);
      use(Fact::cycle_count);
    } else {
      use(field);
    }
    return field;
  }

  Operand name(const Syntax& syntax) { return name(syntax, syntax.token); }
  Operand name(const Syntax& syntax, const Token& token) {
    Operand operand{.syntax = &syntax};
    if (const Field* const field = find_field(token.text, subject_)) {
      operand.kind = Operand::Kind::field;
      operand.field = &known(*field, syntax);
    } else if (subject_ == Subject::interval) {
      unknown_field(token);
    } else {
      operand.kind = Operand::Kind::tracepoint;
      operand.tracepoint = tracepoint_field(token);
    }
    return operand;
  }

  // What is no field may be one of a tracepoint: Filter::check() tells when it is not.
  std::size_t tracepoint_field(const Token& token) {
    const std::size_t dot = token.text.rfind('.');
    const bool has_event = token.text.find(':') < dot;
    if (dot == std::string_view::npos && token.text.find(':') != std::string_view::npos) {
      fail_at(source_, token.place, "an event is text: event == \"" + std::string(token.text) + "\"");
    }
    if (dot != std::string_view::npos && !has_event) unknown_field(token);
    TracepointField field{.event = std::string(has_event ? token.text.substr(0, dot) : ""),
                          .name = std::string(has_event ? token.text.substr(dot + 1) : token.text),
                          .text = text_,
                          .place = token.place};
    asks_tracepoint_ = true;
    auto& all = needs_.tracepoint_fields;
    const auto found = std::ranges::find_if(
        all, [&](const TracepointField& known) { return known.event == field.event && known.name == field.name; });
    if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
    all.push_back(std::move(field));
    return all.size() - 1;
  }

  [[noreturn]] void unknown_field(const Token& token) const {
    const auto near = nearest_field(token.text, subject_);
    const bool is_of_samples = subject_ == Subject::interval && find_field(token.text) != nullptr;
    fail_at(source_, token.place,
            "'" + std::string(token.text) +
                "': " + (is_of_samples ? "samples have such a field, and intervals do not" : "there is no such field") +
                (near ? "; did you mean " + std::string(*near) + "?" : ""));
  }

  Literal literal(const Syntax& syntax) const {
    const auto value = parse_literal(syntax.token.text);
    if (!value) fail(syntax, quoted(syntax) + ": not a number, as 12, 0x1f, 64k, 50us, 1.5s and 10% are");
    return *value;
  }

  // Without its quotes. A backslash goes with what it stands in front of, but in front of a quote.
  static std::string text_of(const Token& token) {
    std::string text;
    const std::string_view inner = token.text.substr(1, token.text.size() - 2);
    for (std::size_t i = 0; i < inner.size(); ++i) {
      const bool quote_follows = i + 1 < inner.size() && (inner[i + 1] == '"' || inner[i + 1] == '\'');
      if (inner[i] == '\\' && quote_follows) ++i;
      text += inner[i];
      if (inner[i] == '\\' && i + 1 < inner.size()) text += inner[++i];
    }
    return text;
  }

  Operand operand(const Syntax& syntax) {
    switch (syntax.kind) {
      case SyntaxKind::name:
        return name(syntax);
      case SyntaxKind::number: {
        Operand number{.kind = Operand::Kind::number, .syntax = &syntax};
        number.number = literal(syntax);
        return number;
      }
      case SyntaxKind::text: {
        Operand text{.kind = Operand::Kind::text, .syntax = &syntax};
        text.text = text_of(syntax.token);
        return text;
      }
      case SyntaxKind::mask:
        return masked(syntax);
      default:
        fail(syntax, "expected a field, a number or a text");
    }
  }

  Operand masked(const Syntax& syntax) {
    Operand left = operand(syntax.parts[0]);
    const bool can = left.is_of_type(FieldType::id) || left.is_of_type(FieldType::count) ||
                     left.is_of_type(FieldType::address) || left.kind == Operand::Kind::tracepoint;
    if (!can) fail(syntax.parts[0], quoted(syntax.parts[0]) + " has no bits");
    if (syntax.parts[1].kind != SyntaxKind::number) fail(syntax.parts[1], "expected a number: its bits are tested");
    const Literal bits = literal(syntax.parts[1]);
    if (bits.kind != Literal::Kind::plain) fail(syntax.parts[1], "expected a number: its bits are tested");
    left.mask = bits.number.bits;
    left.syntax = &syntax;
    return left;
  }

  FactSource fact(const Operand& operand) const {
    FactSource source(*operand.field);
    source.mask = operand.mask;
    return source;
  }
  static TracepointSource tracepoint(const Operand& operand) {
    return {.field = operand.tracepoint, .mask = operand.mask};
  }

  // --- what is compared with what ---

  PredicatePtr comparison(const Syntax& syntax) {
    if (syntax.token.text == "=~" || syntax.token.text == "!~") return regex(syntax);
    Comparison how = *comparison_of(syntax.token.text);
    const Syntax* left_side = &syntax.parts[0];
    const Syntax* right_side = &syntax.parts[1];
    const bool constant_first = left_side->kind == SyntaxKind::number || left_side->kind == SyntaxKind::text;
    if (constant_first) {
      std::swap(left_side, right_side);
      how = turned(how);
    }
    const Operand left = operand(*left_side);
    if (left.is_constant()) fail(syntax, "this compares two constants");
    if (left.is_of_type(FieldType::words) || left.is_of_type(FieldType::flag)) {
      return words(syntax, left, {right_side}, how);
    }
    if (subject_ == Subject::interval && left.is_text_field()) check_is_no_text(*right_side);
    const Operand right = operand(*right_side);
    if (!is_equality(how) && (left.is_text_field() || right.kind == Operand::Kind::text)) {
      fail_at(source_, syntax.token.place, "text has no order; there are ==, !=, =~, !~ and in");
    }
    PredicatePtr test = right.is_constant() ? with_constant(left, how, right) : with_other(syntax, left, how, right);
    const Operand& decisive = right.kind == Operand::Kind::tracepoint ? right : left;
    return with_info(std::move(test), info_of(syntax, decisive, has_share(right)));
  }

  PredicatePtr with_constant(const Operand& left, Comparison how, const Operand& right) {
    if (left.is_of_type(FieldType::ratio)) return ratio(how, right);
    const bool in = how != Comparison::not_equal;
    if (right.kind == Operand::Kind::text) return text_test(left, {&right}, in);
    check_number(left, right);
    if (right.number.kind == Literal::Kind::share && is_equality(how)) {
      fail(*right.syntax, "a share of the recording is compared with < and >=, or in a range: time in 10%..20%");
    }
    return number_test(left, interval_of(how, right.number), in);
  }

  PredicatePtr ratio(Comparison how, const Operand& right) {
    const bool fits = right.kind == Operand::Kind::number &&
                      (right.number.kind == Literal::Kind::decimal || right.number.kind == Literal::Kind::plain);
    if (!fits) fail(*right.syntax, "expected a number, as 0.75 is one");
    return std::make_unique<RatioTest>(how, right.number.real);
  }

  PredicatePtr with_other(const Syntax& syntax, const Operand& left, Comparison how, const Operand& right) {
    const Cost cost = std::max(cost_of(left), cost_of(right));
    const auto is_tracepoint = [](const Operand& side) { return side.kind == Operand::Kind::tracepoint; };
    if (is_tracepoint(left) && is_tracepoint(right)) {
      return std::make_unique<TracepointPairTest>(cost, tracepoint(left), how, tracepoint(right));
    }
    if (is_tracepoint(left) || is_tracepoint(right)) {
      const Operand& field = is_tracepoint(left) ? right : left;
      const Operand& other = is_tracepoint(left) ? left : right;
      check_is_meant(field, other);
      return std::make_unique<TracepointPairTest>(cost, tracepoint(other), is_tracepoint(left) ? how : turned(how),
                                                  fact(field), field.is_text_field());
    }
    if (left.is_text_field() && right.is_text_field()) {
      return std::make_unique<TextPairTest>(cost, fact(left), how == Comparison::equal, fact(right));
    }
    if (left.is_number_field() && right.is_number_field()) {
      return std::make_unique<NumberPairTest>(cost, fact(left), how, fact(right));
    }
    fail(syntax, "a " + std::string(name_of(left.field->type)) + " is not compared with a " +
                     std::string(name_of(right.field->type)));
  }

  // A name without quotes beside a field of text is more often a text than a field of a tracepoint.
  void check_is_meant(const Operand& field, const Operand& other) const {
    const bool can = field.is_text_field() || field.is_number_field();
    const bool qualified = !needs_.tracepoint_fields[other.tracepoint].event.empty();
    if (!can) fail(*other.syntax, quoted(*other.syntax) + " is nothing that " + written(*field.syntax) + " can be");
    if (field.is_text_field() && !qualified) unquoted(*other.syntax);
  }

  // Of an interval, what is beside a field of text and no field itself.
  void check_is_no_text(const Syntax& other) const {
    if (other.kind == SyntaxKind::name && find_field(other.token.text, subject_) == nullptr) unquoted(other);
  }

  [[noreturn]] void unquoted(const Syntax& text) const {
    fail(text, "text is written in quotes: \"" + written(text) + "\"");
  }

  Cost cost_of(const Operand& operand) const {
    return operand.kind == Operand::Kind::tracepoint ? Cost::tracepoint : operand.field->cost;
  }

  void check_number(const Operand& left, const Operand& right) const {
    const Syntax& at = *right.syntax;
    if (left.kind == Operand::Kind::tracepoint) {
      if (right.number.kind == Literal::Kind::share || right.number.kind == Literal::Kind::decimal) {
        fail(at, quoted(at) + ": fields of tracepoints are whole numbers and texts");
      }
      return;
    }
    if (left.is_text_field()) fail(at, written(*left.syntax) + " is text, which is written in quotes");
    if (!is_number(left.field->type)) fail(at, written(*left.syntax) + " is no number");
    if (takes(left.field->type, right.number.kind)) return;
    if (left.field->type == FieldType::time) fail(at, quoted(at) + ": a time has a unit: " + written(at) + "s");
    fail(at, quoted(at) + ": " + written(*left.syntax) + " is a plain number");
  }

  PredicatePtr number_test(const Operand& left, std::vector<Interval> intervals, bool in) {
    NumberSet set(std::move(intervals));
    needs_.shares |= set.has_shares();
    if (left.kind == Operand::Kind::tracepoint) {
      return std::make_unique<TracepointTest>(tracepoint(left), std::move(set), in);
    }
    return std::make_unique<NumberTest>(left.field->cost, fact(left), std::move(set), in);
  }

  PredicatePtr text_test(const Operand& left, const std::vector<const Operand*>& texts, bool in) {
    const bool tracepoint_text = left.kind == Operand::Kind::tracepoint && !left.mask;
    if (!left.is_text_field() && !tracepoint_text) {
      fail(*texts.front()->syntax, written(*left.syntax) + " is no text");
    }
    const auto kind = tracepoint_text ? TextPattern::Kind::name : pattern_kind(left.field->type);
    std::vector<TextPattern> patterns;
    for (const Operand* const text : texts) patterns.push_back(TextPattern::glob(text->text, kind));
    return pattern_test(left, std::move(patterns), in);
  }

  PredicatePtr pattern_test(const Operand& left, std::vector<TextPattern> patterns, bool matches) {
    if (left.kind == Operand::Kind::field) {
      return std::make_unique<TextTest>(left.field->cost, fact(left), std::move(patterns), matches, needs_.memos++);
    }
    const bool is_task_state = needs_.tracepoint_fields[left.tracepoint].name == "prev_state";
    return std::make_unique<TracepointTest>(tracepoint(left), std::move(patterns), matches, is_task_state);
  }

  PredicatePtr regex(const Syntax& syntax) {
    const Operand left = operand(syntax.parts[0]);
    const Syntax& right = syntax.parts[1];
    if (!left.is_text_field() && (left.kind != Operand::Kind::tracepoint || left.mask)) {
      fail(syntax.parts[0], quoted(syntax.parts[0]) + " is no text");
    }
    if (right.kind != SyntaxKind::text) fail(right, "expected a regular expression in quotes");
    std::vector<TextPattern> patterns;
    try {
      patterns.push_back(TextPattern::regex(text_of(right.token)));
    } catch (const UsageError& error) {
      fail(right, std::string("not a regular expression: ") + error.what());
    }
    return with_info(pattern_test(left, std::move(patterns), syntax.token.text == "=~"), info_of(syntax, left));
  }

  PredicatePtr membership(const Syntax& syntax) {
    const bool in = syntax.token.is("in");
    const Operand left = operand(syntax.parts[0]);
    if (left.is_constant()) fail(syntax.parts[0], "expected a field: its value is looked for");
    std::vector<const Syntax*> elements;
    for (std::size_t i = 1; i < syntax.parts.size(); ++i) elements.push_back(&syntax.parts[i]);
    if (left.is_of_type(FieldType::words)) {
      return words(syntax, left, elements, in ? Comparison::equal : Comparison::not_equal);
    }
    const bool texts = elements.front()->kind == SyntaxKind::text;
    if (texts) return with_info(text_set(left, elements, in), info_of(syntax, left));
    std::vector<Interval> intervals;
    for (const Syntax* const element : elements) intervals.push_back(interval(left, *element));
    const bool shares = std::ranges::any_of(intervals, [](const Interval& i) { return i.from_share || i.until_share; });
    return with_info(number_test(left, std::move(intervals), in), info_of(syntax, left, shares));
  }

  PredicatePtr text_set(const Operand& left, const std::vector<const Syntax*>& elements, bool in) {
    std::vector<Operand> operands;
    for (const Syntax* const element : elements) {
      if (element->kind != SyntaxKind::text) fail(*element, "expected a text, as the others are");
      operands.push_back(operand(*element));
    }
    std::vector<const Operand*> texts;
    for (const Operand& one : operands) texts.push_back(&one);
    return text_test(left, texts, in);
  }

  Interval interval(const Operand& left, const Syntax& element) {
    const bool is_range = element.kind == SyntaxKind::range;
    const Operand from = limit(left, is_range ? element.parts[0] : element);
    const Operand until = limit(left, is_range ? element.parts[1] : element);
    const auto share = [](const Operand& end) {
      return end.number.kind == Literal::Kind::share ? std::optional(end.number.real) : std::nullopt;
    };
    const Interval result{.from = share(from) ? lowest_number : from.number.number,
                          .until = share(until) ? highest_number : until.number.number,
                          .from_share = share(from),
                          .until_share = share(until)};
    if (!is_range && result.from_share) {
      fail(element, "a share of the recording is compared with < and >=, or in a range: time in 10%..20%");
    }
    const bool wrong_way = result.until < result.from ||
                           (result.from_share && result.until_share && *result.until_share < *result.from_share);
    if (wrong_way) fail(element, "the range ends before it begins");
    return result;
  }

  Operand limit(const Operand& left, const Syntax& at) {
    if (at.kind != SyntaxKind::number) fail(at, left.is_text_field() ? "expected a text" : "expected a number");
    Operand number = operand(at);
    check_number(left, number);
    return number;
  }

  // --- fields of words and flags ---

  PredicatePtr words(const Syntax& syntax, const Operand& left, const std::vector<const Syntax*>& elements,
                     Comparison how) {
    if (!is_equality(how)) fail_at(source_, syntax.token.place, written(*left.syntax) + " has no order");
    const bool is_flag = left.field->type == FieldType::flag;
    std::uint64_t bits = 0;
    bool any = how == Comparison::equal;
    for (const Syntax* const element : elements) {
      const std::string word = word_of(*element);
      if (is_flag && word == "false") any = !any;
      bits |= is_flag && (word == "false" || word == "true") ? left.field->words.front().bits
                                                             : bits_of(*left.field, word, *element);
    }
    return with_info(std::make_unique<BitsTest>(left.field->cost, fact(left), bits, any), info_of(syntax, left));
  }

  std::string word_of(const Syntax& syntax) const {
    if (syntax.kind == SyntaxKind::name) return std::string(syntax.token.text);
    if (syntax.kind == SyntaxKind::text) return text_of(syntax.token);
    fail(syntax, "expected a word");
  }

  std::uint64_t bits_of(const Field& field, const std::string& word, const Syntax& at) const {
    std::vector<std::string_view> names;
    for (const Word& known : field.words) {
      if (std::ranges::equal(known.name, word, {}, {}, lower_case)) return known.bits;
      names.push_back(known.name);
    }
    if (field.type == FieldType::flag) names = {"true", "false"};
    std::string all;
    for (const std::string_view name : names) all.append(all.empty() ? "" : ", ").append(name);
    fail(at, "'" + word + "': " + std::string(field.name) + " is one of " + all);
  }
  static char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

  // A flag; or bits that are set.
  PredicatePtr by_itself(const Syntax& syntax) {
    if (syntax.kind == SyntaxKind::mask && syntax.parts[1].kind == SyntaxKind::name) {  // perf's: mem_snoop & hitm
      const Operand left = operand(syntax.parts[0]);
      if (left.is_of_type(FieldType::words)) return words(syntax, left, {&syntax.parts[1]}, Comparison::equal);
    }
    const Operand one = operand(syntax);
    if (one.mask && one.kind == Operand::Kind::tracepoint) {
      return with_info(number_test(one, {{.from = Number::of(1)}}, true), info_of(syntax, one));
    }
    if (one.mask) {
      FactSource source = fact(one);
      source.mask.reset();
      return with_info(std::make_unique<BitsTest>(one.field->cost, source, *one.mask, true), info_of(syntax, one));
    }
    if (one.is_of_type(FieldType::flag)) {
      auto test = std::make_unique<BitsTest>(one.field->cost, fact(one), one.field->words.front().bits, true);
      return with_info(std::move(test), info_of(syntax, one));
    }
    fail(syntax, quoted(syntax) + " is not true or false by itself; compare it with something");
  }

  PredicatePtr recorded(const Syntax& syntax) {
    const Operand one = name(syntax, syntax.token);
    if (one.kind == Operand::Kind::tracepoint) {
      return with_info(std::make_unique<RecordedTest>(tracepoint(one)), info_of(syntax, one));
    }
    if (one.field->fact == Fact::ipc) fail(syntax, "ipc is computed; ask whether it is > 0");
    return with_info(std::make_unique<RecordedTest>(one.field->cost, fact(one), one.is_text_field()),
                     info_of(syntax, one));
  }

  // --- stacks, counting, windows ---

  void needs_stack(const Syntax& at) {
    if (in_frame_) fail(at, "this is about a whole stack, and cannot be asked about one of its frames");
    needs_.stack = true;
  }

  PredicatePtr stack_has(const Syntax& syntax) {
    needs_stack(syntax);
    const bool of_waker = syntax.token.is("waker");
    if (of_waker && subject_ == Subject::sample) {
      fail_at(source_, syntax.token.place, "an interval off a CPU ends with a wakeup, a sample does not");
    }
    needs_.waker_stack |= of_waker;
    const Syntax& wanted = syntax.parts[0];
    const std::uint64_t facts_before = std::exchange(needs_.facts, 0);
    asks_tracepoint_ = false;
    in_frame_ = true;
    PredicatePtr frame;
    if (wanted.kind == SyntaxKind::text) {
      Operand sym{.kind = Operand::Kind::field, .syntax = &wanted};
      sym.field = &known(*find_field("sym", subject_), wanted);
      const Operand text = operand(wanted);
      frame = with_info(text_test(sym, {&text}, true), info_of(wanted, sym));
    } else {
      frame = predicate(wanted);
    }
    in_frame_ = false;
    const bool of_frames_alone = (needs_.facts & ~facts_of_code) == 0 && !asks_tracepoint_;
    needs_.facts |= facts_before;
    if (of_waker) {
      return with_info(std::make_unique<WakerHas>(std::move(frame)), {.text = "waker has", .type = "a frame of which"});
    }
    const auto memo = of_frames_alone ? std::optional(needs_.stack_memos++) : std::nullopt;
    return with_info(std::make_unique<StackHas>(std::move(frame), memo),
                     {.text = "stack has", .type = "a frame of which"});
  }

  PredicatePtr call(const Syntax& syntax) {
    const std::string_view function = syntax.token.text;
    if (function != "every" && function != "first" && function != "random") {
      constexpr std::string_view functions[] = {"every", "first", "random"};
      const std::string_view near = nearest(function, functions);
      fail_at(source_, syntax.token.place,
              "'" + std::string(function) + "': there are every(100), first(1000) and random(1%)" +
                  (near.empty() ? "" : "; did you mean " + std::string(near) + "?"));
    }
    if (in_frame_ || in_window_) {
      fail(syntax, "samples are counted and drawn outside of " + std::string(in_frame_ ? "stack has" : "windows"));
    }
    return with_info(function == "random" ? random(syntax) : counted(syntax), info_of(syntax, "sampling"));
  }

  PredicatePtr counted(const Syntax& syntax) {
    const bool is_every = syntax.token.text == "every";
    if (syntax.parts.size() != 1) fail(syntax, "expected one number: " + std::string(syntax.token.text) + "(100)");
    const std::uint64_t n = count(syntax.parts[0]);
    if (n == 0) fail(syntax.parts[0], "expected a number from 1 on");
    const std::size_t counter = needs_.counters++;
    if (is_every) return std::make_unique<Every>(n, counter);
    return std::make_unique<First>(n, counter);
  }

  PredicatePtr random(const Syntax& syntax) {
    if (syntax.parts.empty() || syntax.parts.size() > 2)
      fail(syntax, "expected a share and perhaps a seed: random(1%, 42)");
    const Syntax& at = syntax.parts[0];
    const auto share = at.kind == SyntaxKind::number ? std::optional(literal(at)) : std::nullopt;
    if (!share || share->kind != Literal::Kind::share) fail(at, "expected a share, as 1% is one");
    for (const Fact fact : {Fact::time, Fact::tid, Fact::cpu, Fact::ip, Fact::id, Fact::addr}) use(fact);
    return std::make_unique<Random>(share->real, syntax.parts.size() == 2 ? count(syntax.parts[1]) : 0);
  }

  std::uint64_t count(const Syntax& at) const {
    const auto number = at.kind == SyntaxKind::number ? std::optional(literal(at)) : std::nullopt;
    const bool counts = number && !number->number.negative &&
                        (number->kind == Literal::Kind::plain || number->kind == Literal::Kind::size);
    if (!counts) fail(at, "expected a number");
    return number->number.bits;
  }

  PredicatePtr window(const Syntax& syntax) {
    if (in_frame_) fail(syntax, "windows are of samples, and not of frames");
    if (subject_ == Subject::interval) fail(syntax, "windows are of samples; an interval has a start and an end");
    if (in_window_) fail(syntax, "windows cannot lie in each other");
    use(Fact::time);
    in_window_ = true;
    const bool is_within = syntax.kind == SyntaxKind::within;
    const std::uint64_t radius = is_within ? duration(syntax.parts[0]) : 0;
    PredicatePtr from = predicate(is_within ? syntax.parts[1] : syntax.parts[0]);
    PredicatePtr until = is_within ? nullptr : predicate(syntax.parts[1]);
    in_window_ = false;
    auto result = std::make_unique<Window>(std::move(from), std::move(until), radius, needs_.windows.size());
    needs_.windows.push_back(result.get());
    const std::string text = is_within ? "within " + written(syntax.parts[0]) + " of" : "between";
    return with_info(std::move(result), {.text = text, .type = "window", .not_in_perf = std::string(no_later_samples)});
  }

  std::uint64_t duration(const Syntax& at) const {
    const Literal value = literal(at);
    if (value.kind != Literal::Kind::duration || value.number.negative) fail(at, "expected a duration, as 5ms is one");
    return value.number.bits;
  }

  PredicatePtr joined(const Syntax& syntax, Joined::How how) {
    std::vector<PredicatePtr> parts;
    for (const Syntax& part : syntax.parts) parts.push_back(predicate(part));
    return with_info(std::make_unique<Joined>(how, std::move(parts)), {.text = how == Joined::How::all ? "and" : "or"});
  }

  const FilterText& source_;
  const std::size_t text_;
  const Subject subject_;
  Filter::Needs& needs_;
  bool in_frame_ = false;
  bool asks_tracepoint_ = false;  // in the frame that is asked about
  bool in_window_ = false;
};

}  // namespace

PredicatePtr check(const Syntax& syntax, const FilterText& source, std::size_t text, Subject subject,
                   Filter::Needs& needs) {
  return Checker(source, text, subject, needs).predicate(syntax);
}

}  // namespace perfsift::filter
