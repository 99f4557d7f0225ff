#include "record/keep/kernel_filter.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "facts/tracepoint_value.h"
#include "filter/predicates.h"
#include "filter/task_state.h"
#include "record/keep/tracepoint_fields.h"

namespace perfsift::record {
namespace {

using filter::Fact;
using filter::Interval;
using filter::Number;
using filter::TextPattern;
using Kind = Condition::Kind;
using Result = std::optional<KernelFilter>;

KernelFilter simple(std::string text) { return {.text = std::move(text)}; }
KernelFilter simple(std::string_view field, std::string_view op, std::string_view value) {
  return simple(std::string(field).append(" ").append(op).append(" ").append(value));
}

std::string grouped(const KernelFilter& part) { return part.is_compound ? "(" + part.text + ")" : part.text; }

// Joins at least one part.
KernelFilter join(const std::vector<KernelFilter>& parts, std::string_view separator) {
  if (parts.size() == 1) return parts.front();
  KernelFilter whole{.text = {}, .exact = true, .is_compound = true};
  for (const KernelFilter& part : parts) {
    if (!whole.text.empty()) whole.text += separator;
    whole.text += grouped(part);
    whole.exact = whole.exact && part.exact;
  }
  return whole;
}

KernelFilter negated(const KernelFilter& part) { return simple("!(" + part.text + ")"); }
Result negated_unless(bool in, Result part) {
  if (!part || in) return part;
  return part->exact ? std::optional(negated(*part)) : std::nullopt;
}

// --- numbers ---

std::string written(const Number& number) {
  return number.negative ? std::to_string(static_cast<std::int64_t>(number.bits)) : std::to_string(number.bits);
}

KernelFilter in_interval(const std::string& field, const Interval& part, const Interval& range) {
  if (part.from == part.until) return simple(field, "==", written(part.from));
  std::vector<KernelFilter> limits;
  if (part.from != range.from) limits.push_back(simple(field, ">=", written(part.from)));
  if (part.until != range.until) limits.push_back(simple(field, "<=", written(part.until)));
  return join(limits, " && ");
}

// The kernel reads a number with the sign and the size of the field (select_comparison_fn()), so a number that does not
// fit must not be written.
Result in_set(const std::string& field, const filter::NumberSet& numbers, bool in, const Interval& range) {
  const std::vector<Interval> parts = clipped(numbers, range);
  const bool is_all = parts.size() == 1 && parts[0].from == range.from && parts[0].until == range.until;
  if (parts.empty() || is_all) return std::nullopt;
  if (!in && parts.size() == 1 && parts[0].from == parts[0].until) return simple(field, "!=", written(parts[0].from));
  std::vector<KernelFilter> alternatives;
  for (const Interval& part : parts) alternatives.push_back(in_interval(field, part, range));
  return negated_unless(in, join(alternatives, " || "));
}

// `field & bits` is true if a bit is set. The kernel cannot compare the bits with a number otherwise.
Result masked(const std::string& field, const filter::TracepointTest& test, const Interval& range) {
  const std::uint64_t mask = *test.source().mask;
  const std::uint64_t widest = range.from.negative ? range.until.bits << 1 | 1 : range.until.bits;
  const bool fits = mask != 0 && (mask & ~widest) == 0 && mask <= Number::of_signed(INT64_MAX).bits;
  if (!fits || !test.patterns().empty()) return std::nullopt;
  const auto has = [&](std::uint64_t value) { return test.set().has(Number::of(value), {}); };
  const KernelFilter any = simple(field, "&", std::to_string(mask));
  const auto& intervals = test.set().intervals();
  const bool asks_any = intervals.size() == 1 && intervals[0].from == Number::of(1) && has(mask);
  const bool asks_none = intervals.size() == 1 && intervals[0].until == Number::of(0) && has(0);
  const bool asks_bit = (mask & (mask - 1)) == 0 && has(mask) && !has(0);
  if (asks_any || asks_bit) return test.in() ? any : negated(any);
  if (asks_none) return test.in() ? negated(any) : any;
  return std::nullopt;
}

// --- texts ---

// The kernel takes the characters up to the closing quote as they are.
bool is_writable(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

// A glob with one * at its end. The kernel takes a pattern that begins with a digit for a text without wildcards, looks
// for the rest of "*rest" at the end of the array instead of the end of the text, and looks behind the end of the text
// for a pattern between two * (filter_parse_regex(), regex_match_end(), regex_match_middle()).
Result glob(const std::string& field, std::string_view pattern) {
  const std::string_view start = pattern.substr(0, pattern.size() - 1);
  const bool is_simple =
      pattern.ends_with('*') && is_writable(start) && start.find_first_of("*?[") == std::string_view::npos;
  const bool is_misread = is_simple && (start.front() == '!' || (start.front() >= '0' && start.front() <= '9'));
  return is_simple && !is_misread ? Result(simple(field, "~", in_quotes(pattern))) : std::nullopt;
}

// `longest`: the most characters of a text that the kernel compares as a whole.
Result matches(const std::string& field, const TextPattern& pattern, std::size_t longest) {
  if (pattern.is_regex()) return std::nullopt;
  if (pattern.exact() == nullptr) return glob(field, pattern.written());
  const bool fits = is_writable(*pattern.exact()) && pattern.exact()->size() <= longest;
  return fits ? Result(simple(field, "==", in_quotes(*pattern.exact()))) : std::nullopt;
}

// A dynamic text without a NUL at its end also equals a longer text that begins with it (regex_match_full()).
Result matches_dynamic(const std::string& field, const TextPattern& pattern) {
  constexpr std::size_t longest = 255;  // MAX_FILTER_STR_VAL, without the NUL
  Result result = matches(field, pattern, longest);
  if (result && pattern.exact() != nullptr) result->exact = false;
  return result;
}

template <typename Write>
Result any_of(const std::vector<TextPattern>& patterns, bool in, Write&& write) {
  std::vector<KernelFilter> alternatives;
  for (const TextPattern& pattern : patterns) {
    const Result one = write(pattern);
    if (!one) return std::nullopt;
    alternatives.push_back(*one);
  }
  KernelFilter& only = alternatives.front();
  if (!in && alternatives.size() == 1 && patterns.front().exact() != nullptr && only.exact && !only.is_compound) {
    const std::size_t equal = only.text.find(" == ");
    if (equal != std::string::npos) return only.text.replace(equal, 4, " != "), only;
  }
  return negated_unless(in, join(alternatives, " || "));
}

// The lowest bit of prev_state that is set decides about the letter.
KernelFilter in_state(const std::string& field, std::string_view letter) {
  constexpr std::size_t count = filter::task_state_letters.size();
  constexpr std::uint64_t all = (std::uint64_t{1} << count) - 1;
  const auto bits = [&](std::uint64_t mask) { return simple(field, "&", std::to_string(mask)); };
  if (letter == filter::running_task) return simple(field, "==", "0");
  if (letter == filter::preempted_task) return join({negated(bits(all)), simple(field, "!=", "0")}, " && ");
  const auto bit = static_cast<std::size_t>(std::ranges::find(filter::task_state_letters, letter) -
                                            filter::task_state_letters.begin());
  const std::uint64_t own = std::uint64_t{1} << bit;
  return bit == 0 ? bits(own) : join({bits(own), negated(bits(own - 1))}, " && ");
}

// The letters that match, by their bits: the kernel has no letters, but patterns of any kind match some of them.
Result in_states(const std::string& field, const filter::TracepointTest& test) {
  std::vector<std::string_view> letters(filter::task_state_letters.begin(), filter::task_state_letters.end());
  letters.insert(letters.end(), {filter::running_task, filter::preempted_task});
  std::vector<KernelFilter> alternatives;
  for (const std::string_view letter : letters) {
    const bool any = std::ranges::any_of(test.patterns(), [&](const TextPattern& p) { return p.matches(letter); });
    if (any) alternatives.push_back(in_state(field, letter));
  }
  if (alternatives.empty()) return std::nullopt;
  return negated_unless(test.in(), join(alternatives, " || "));
}

// --- the running thread ---

// The kernel calls idle threads swapper/0, swapper/1, …; perf and samples call all of them swapper.
constexpr std::string_view idle = "swapper";
constexpr std::string_view idle_of_kernel = "swapper/";

Result has_name(const TextPattern& pattern) {
  constexpr std::size_t longest_name = 15;  // TASK_COMM_LEN, without the NUL
  Result name = matches("COMM", pattern, longest_name);
  if (!name) return name;
  if (pattern.matches(idle)) return join({simple("common_pid == 0"), *name}, " || ");
  const bool may_be_idle = pattern.exact() == nullptr || pattern.exact()->starts_with(idle_of_kernel);
  return may_be_idle ? join({simple("common_pid != 0"), *name}, " && ") : name;
}

// --- the parts of a condition ---

class Writer {
 public:
  Writer(const filter::Filter& filter, const reader::TracepointFormat& format) : filter_(filter), format_(format) {}

  Result write(const Condition& condition) const {
    switch (condition.kind) {
      case Kind::all:
        return all(condition.parts);
      case Kind::any:
        return any(condition.parts);
      case Kind::not_:
        return negated_unless(false, write(condition.parts.front()));
      case Kind::leaf:
        return leaf(*condition.leaf);
      default:
        return std::nullopt;
    }
  }

 private:
  // Without a part that the kernel cannot decide, more samples are kept.
  Result all(const std::vector<Condition>& conditions) const {
    std::vector<KernelFilter> parts;
    for (const Condition& condition : conditions) {
      if (Result part = write(condition)) parts.push_back(std::move(*part));
    }
    if (parts.empty()) return std::nullopt;
    KernelFilter whole = join(parts, " && ");
    whole.exact = whole.exact && parts.size() == conditions.size();
    return whole;
  }

  Result any(const std::vector<Condition>& conditions) const {
    std::vector<KernelFilter> parts;
    for (const Condition& condition : conditions) {
      Result part = write(condition);
      if (!part) return std::nullopt;
      parts.push_back(std::move(*part));
    }
    return join(parts, " || ");
  }

  Result leaf(const filter::Predicate& leaf) const {
    if (const auto* const test = dynamic_cast<const filter::TracepointTest*>(&leaf)) return field_test(*test);
    if (const auto* const text = dynamic_cast<const filter::TextTest*>(&leaf)) {
      return text->source().fact == Fact::comm ? any_of(text->patterns(), text->matches(), has_name) : std::nullopt;
    }
    const auto* const number = dynamic_cast<const filter::NumberTest*>(&leaf);
    const bool is_cpu = number != nullptr && number->source().fact == Fact::cpu && !number->source().mask &&
                        !number->set().has_shares();
    constexpr Interval cpus{.from = Number::of_signed(INT32_MIN), .until = Number::of(INT32_MAX)};
    return is_cpu ? in_set("CPU", number->set(), number->in(), cpus) : std::nullopt;
  }

  Result field_test(const filter::TracepointTest& test) const {
    const auto* const field = facts::find_field(format_, filter_.tracepoint_fields()[test.source().field]);
    if (field == nullptr || constant_answer(test, *field)) return std::nullopt;
    const auto range = range_of(*field);
    if (field->is_string) {
      if (test.source().mask) return std::nullopt;
      return any_of(test.patterns(), test.in(), [&](const TextPattern& pattern) {
        return field->is_dynamic ? matches_dynamic(field->name, pattern)
                                 : matches(field->name, pattern, field->size - 1);
      });
    }
    // The kernel compares the text that a pointer to characters points to.
    if (!range || field->type.find("char *") != std::string::npos) return std::nullopt;
    if (test.source().mask) return masked(field->name, test, *range);
    if (!test.patterns().empty()) return in_states(field->name, test);
    return in_set(field->name, test.set(), test.in(), *range);
  }

  const filter::Filter& filter_;
  const reader::TracepointFormat& format_;
};

}  // namespace

std::optional<KernelFilter> kernel_filter(const Condition& condition, const filter::Filter& filter,
                                          const reader::TracepointFormat& format) {
  const Result whole = Writer(filter, format).write(condition);
  return whole && whole->text.size() <= longest_kernel_filter ? whole : std::nullopt;
}

KernelFilter all_of(const std::vector<KernelFilter>& filters) { return join(filters, " && "); }

}  // namespace perfsift::record
