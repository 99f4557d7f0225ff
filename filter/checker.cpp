#include "filter/checker.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "filter/comparison_checker.h"
#include "filter/literal.h"
#include "filter/operand.h"
#include "filter/predicates.h"

namespace perfsift::filter {
namespace {

constexpr std::string_view no_later_samples =
    "a dlfilter sees each sample once, and those that open the window come later";

// The facts of is_of_code(), which a frame has by itself.
constexpr std::uint64_t facts_of_code = 2 * bit_of(Fact::srcline) - bit_of(Fact::ip);

// Each part of an expression becomes a predicate. The scope of a part is passed down; there is no other state.
class Checker {
 public:
  explicit Checker(CheckContext& context) : context_(context), operands_(context), comparisons_(context, operands_) {}

  PredicatePtr predicate(const Syntax& syntax, const Scope& scope) {
    switch (syntax.kind) {
      case SyntaxKind::all_of:
        return joined(syntax, Joined::How::all, scope);
      case SyntaxKind::any_of:
        return joined(syntax, Joined::How::any, scope);
      case SyntaxKind::not_:
        return with_info(std::make_unique<Not>(predicate(syntax.parts[0], scope)), {.text = "not"});
      case SyntaxKind::comparison:
        return comparisons_.comparison(syntax, scope);
      case SyntaxKind::membership:
        return comparisons_.membership(syntax, scope);
      case SyntaxKind::mask:
      case SyntaxKind::name:
        return comparisons_.by_itself(syntax, scope);
      case SyntaxKind::recorded:
        return comparisons_.recorded(syntax, scope);
      case SyntaxKind::call:
        return call(syntax, scope);
      case SyntaxKind::stack_has:
        return stack_has(syntax, scope);
      case SyntaxKind::stack_truncated:
        operands_.need_stack(syntax, scope);
        return with_info(std::make_unique<StackIsTruncated>(), context_.info_of(syntax, "flag"));
      case SyntaxKind::within:
      case SyntaxKind::between:
        return window(syntax, scope);
      case SyntaxKind::range:
      case SyntaxKind::number:
      case SyntaxKind::text:
        break;
    }
    context_.fail(syntax, "this is neither true nor false; compare it with something");
  }

 private:
  PredicatePtr joined(const Syntax& syntax, Joined::How how, const Scope& scope) {
    std::vector<PredicatePtr> parts;
    for (const Syntax& part : syntax.parts) parts.push_back(predicate(part, scope));
    return with_info(std::make_unique<Joined>(how, std::move(parts)), {.text = how == Joined::How::all ? "and" : "or"});
  }

  // --- stacks ---

  PredicatePtr stack_has(const Syntax& syntax, const Scope& scope) {
    operands_.need_stack(syntax, scope);
    const bool of_waker = syntax.token.is("waker");
    if (of_waker && scope.subject == Subject::sample) {
      context_.fail_at(syntax.token.place, "an interval off a CPU ends with a wakeup, a sample does not");
    }
    context_.needs.waker_stack |= of_waker;
    Asked of_frame;
    PredicatePtr frame = frame_test(
        syntax.parts[0], {.subject = scope.subject, .in_frame = true, .in_window = scope.in_window, .asked = of_frame});
    scope.asked.add(of_frame);
    if (of_waker) {
      return with_info(std::make_unique<WakerHas>(std::move(frame)), {.text = "waker has", .type = "a frame of which"});
    }
    // The answer for a stack is kept if it depends only on the frames.
    const bool of_frames_alone = (of_frame.facts & ~facts_of_code) == 0 && !of_frame.tracepoint;
    const auto memo = of_frames_alone ? std::optional(context_.needs.stack_memos++) : std::nullopt;
    return with_info(std::make_unique<StackHas>(std::move(frame), memo),
                     {.text = "stack has", .type = "a frame of which"});
  }

  // A text alone is the name of a function.
  PredicatePtr frame_test(const Syntax& wanted, const Scope& frame) {
    if (wanted.kind != SyntaxKind::text) return predicate(wanted, frame);
    const Operand sym = operands_.field("sym", wanted, frame);
    const Operand text = operands_.read(wanted, frame);
    return with_info(comparisons_.text_test(sym, {&text}, true), operands_.info_of(wanted, sym));
  }

  // --- counting and drawing samples ---

  PredicatePtr call(const Syntax& syntax, const Scope& scope) {
    const std::string_view function = syntax.token.text;
    if (function != "every" && function != "first" && function != "random") {
      constexpr std::string_view functions[] = {"every", "first", "random"};
      const std::string_view near = nearest(function, functions);
      context_.fail_at(syntax.token.place, "'" + std::string(function) +
                                               "': there are every(100), first(1000) and random(1%)" +
                                               (near.empty() ? "" : "; did you mean " + std::string(near) + "?"));
    }
    if (scope.in_frame || scope.in_window) {
      context_.fail(
          syntax, "samples are counted and drawn outside of " + std::string(scope.in_frame ? "stack has" : "windows"));
    }
    return with_info(function == "random" ? random(syntax, scope) : counted(syntax),
                     context_.info_of(syntax, "sampling"));
  }

  PredicatePtr counted(const Syntax& syntax) {
    const bool is_every = syntax.token.text == "every";
    if (syntax.parts.size() != 1)
      context_.fail(syntax, "expected one number: " + std::string(syntax.token.text) + "(100)");
    const std::uint64_t n = count(syntax.parts[0]);
    if (n == 0) context_.fail(syntax.parts[0], "expected a number from 1 on");
    const std::size_t counter = context_.needs.counters++;
    if (is_every) return std::make_unique<Every>(n, counter);
    return std::make_unique<First>(n, counter);
  }

  PredicatePtr random(const Syntax& syntax, const Scope& scope) {
    if (syntax.parts.empty() || syntax.parts.size() > 2)
      context_.fail(syntax, "expected a share and perhaps a seed: random(1%, 42)");
    const Syntax& at = syntax.parts[0];
    const auto share = at.kind == SyntaxKind::number ? std::optional(operands_.literal(at)) : std::nullopt;
    if (!share || share->kind != Literal::Kind::share) context_.fail(at, "expected a share, as 1% is one");
    for (const Fact fact : {Fact::time, Fact::tid, Fact::cpu, Fact::ip, Fact::id, Fact::addr}) scope.asked.add(fact);
    return std::make_unique<Random>(share->real, syntax.parts.size() == 2 ? count(syntax.parts[1]) : 0);
  }

  std::uint64_t count(const Syntax& at) const {
    const auto number = at.kind == SyntaxKind::number ? std::optional(operands_.literal(at)) : std::nullopt;
    const bool counts = number && !number->number.negative &&
                        (number->kind == Literal::Kind::plain || number->kind == Literal::Kind::size);
    if (!counts) context_.fail(at, "expected a number");
    return number->number.bits;
  }

  // --- windows ---

  PredicatePtr window(const Syntax& syntax, const Scope& scope) {
    if (scope.in_frame) context_.fail(syntax, "windows are of samples, and not of frames");
    if (scope.subject == Subject::interval) {
      context_.fail(syntax, "windows are of samples; an interval has a start and an end");
    }
    if (scope.in_window) context_.fail(syntax, "windows cannot lie in each other");
    scope.asked.add(Fact::time);
    const Scope inside{.subject = scope.subject, .in_window = true, .asked = scope.asked};
    const bool is_within = syntax.kind == SyntaxKind::within;
    const std::uint64_t radius = is_within ? duration(syntax.parts[0]) : 0;
    PredicatePtr from = predicate(is_within ? syntax.parts[1] : syntax.parts[0], inside);
    PredicatePtr until = is_within ? nullptr : predicate(syntax.parts[1], inside);
    auto result = std::make_unique<Window>(std::move(from), std::move(until), radius, context_.needs.windows.size());
    context_.needs.windows.push_back(result.get());
    const std::string text = is_within ? "within " + context_.written(syntax.parts[0]) + " of" : "between";
    return with_info(std::move(result), {.text = text, .type = "window", .not_in_perf = std::string(no_later_samples)});
  }

  std::uint64_t duration(const Syntax& at) const {
    const Literal value = operands_.literal(at);
    if (value.kind != Literal::Kind::duration || value.number.negative)
      context_.fail(at, "expected a duration, as 5ms is one");
    return value.number.bits;
  }

  CheckContext& context_;
  OperandReader operands_;
  ComparisonChecker comparisons_;
};

}  // namespace

PredicatePtr check(const Syntax& syntax, const FilterText& source, std::size_t text, Subject subject,
                   Filter::Needs& needs) {
  CheckContext context(source, text, needs);
  Asked asked;
  PredicatePtr predicate = Checker(context).predicate(syntax, {.subject = subject, .asked = asked});
  needs.facts |= asked.facts;
  return predicate;
}

}  // namespace perfsift::filter
