#include "filter/predicates.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "base/hash.h"
#include "filter/kernel_context.h"
#include "filter/task_state.h"
#include "filter/time_ranges.h"

namespace perfsift::filter {
namespace {

std::uint64_t bits_of(std::initializer_list<Fact> facts) {
  std::uint64_t bits = 0;
  for (const Fact fact : facts) bits |= std::uint64_t{1} << static_cast<unsigned>(fact);
  return bits;
}

// The facts that decide whether random() keeps a sample.
constexpr std::initializer_list<Fact> drawn_by = {Fact::time, Fact::tid, Fact::cpu, Fact::ip, Fact::id, Fact::addr};

bool any_matches(const std::vector<TextPattern>& patterns, std::string_view text) {
  return std::ranges::any_of(patterns, [&](const TextPattern& pattern) { return pattern.matches(text); });
}

// Sebastiano Vigna's splitmix64: every bit of the result depends on every bit of the argument.
std::uint64_t mixed(std::uint64_t value) {
  value += golden;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}

bool is_kernel(Facts& code) {
  constexpr std::uint64_t kernel = 1, guest_kernel = 4;
  const auto mode = code.number(Fact::cpumode);
  return mode && (mode->bits == kernel || mode->bits == guest_kernel);
}

// Nothing without a frame and without the mode of the CPU, which shows the kernel where a callchain was recorded
// without its kernel part.
std::optional<Number> context_of(SampleFacts& sample) {
  const std::size_t depth = sample.stack_depth();
  StackContext context;
  for (std::size_t i = depth; i-- > 0;) {
    Facts& frame = sample.frame(i);
    if (is_kernel(frame)) context.enter(kernel_entry(frame.text(Fact::sym).value_or("")));
  }
  if (context.context() == Context::user && is_kernel(sample)) context.enter(KernelEntry::none);
  if (depth == 0 && !sample.number(Fact::cpumode)) return std::nullopt;
  return Number::of(context_bit(context.context()));
}

std::vector<PredicatePtr> cheapest_first(std::vector<PredicatePtr> parts) {
  const auto is_cheaper = [](const PredicatePtr& a, const PredicatePtr& b) { return a->cost() < b->cost(); };
  const auto counts = [](const PredicatePtr& part) { return part->counts(); };
  for (auto begin = parts.begin(); begin != parts.end();) {
    const auto end = std::find_if(begin, parts.end(), counts);
    std::stable_sort(begin, end, is_cheaper);
    begin = end == parts.end() ? end : std::next(end);
  }
  return parts;
}

Cost dearest(const std::vector<PredicatePtr>& parts) {
  Cost cost = Cost::record;
  for (const PredicatePtr& part : parts) cost = std::max(cost, part->cost());
  return cost;
}

std::vector<const Predicate*> pointers(const std::vector<PredicatePtr>& parts) {
  std::vector<const Predicate*> all;
  for (const PredicatePtr& part : parts) all.push_back(part.get());
  return all;
}

}  // namespace

Facts* FactSource::of(Evaluation& about) const {
  if (!frame) return is_of_code(fact) ? &about.code : &about.sample;
  const std::size_t depth = about.sample.stack_depth();
  const std::size_t index = *frame >= 0 ? static_cast<std::size_t>(*frame) : depth - 1;
  return index < depth ? &about.sample.frame(index) : nullptr;
}

std::optional<Number> FactSource::number(Evaluation& about) const {
  std::optional<Number> value;
  if (fact == Fact::depth) {
    value = Number::of(about.sample.stack_depth());
  } else if (fact == Fact::context) {
    value = context_of(about.sample);
  } else if (Facts* const facts = of(about)) {
    value = facts->number(fact);
  }
  if (!value) return value;
  if (decode != nullptr) value = Number::of(decode(value->bits));
  if (mask) value = Number::of(value->bits & *mask);
  return value;
}

std::optional<std::string_view> FactSource::text(Evaluation& about) const {
  Facts* const facts = of(about);
  return facts != nullptr ? facts->text(fact) : std::nullopt;
}

TracepointValue TracepointSource::value(Evaluation& about) const {
  TracepointValue value = about.sample.tracepoint(field);
  if (auto* const number = std::get_if<Number>(&value); number != nullptr && mask) {
    *number = Number::of(number->bits & *mask);
  }
  return value;
}

NumberSet::NumberSet(std::vector<Interval> intervals) : intervals_(std::move(intervals)) {
  has_shares_ = std::ranges::any_of(intervals_, [](const Interval& i) { return i.from_share || i.until_share; });
  if (has_shares_) return;
  std::ranges::sort(intervals_, {}, &Interval::from);
  std::vector<Interval> merged;
  for (const Interval& interval : intervals_) {
    if (interval.until < interval.from) continue;
    if (!merged.empty() && interval.from <= merged.back().until) {
      merged.back().until = std::max(merged.back().until, interval.until);
    } else {
      merged.push_back(interval);
    }
  }
  intervals_ = std::move(merged);
}

bool NumberSet::has(Number number, const RecordingTimes& times) const {
  if (!has_shares_) {
    const auto after = std::ranges::upper_bound(intervals_, number, {}, &Interval::from);
    return after != intervals_.begin() && number <= std::prev(after)->until;
  }
  return std::ranges::any_of(intervals_, [&](const Interval& interval) {
    const Number from = interval.from_share ? Number::of(times.from(*interval.from_share)) : interval.from;
    const Number until = interval.until_share ? Number::of(times.until(*interval.until_share)) : interval.until;
    return from <= number && number <= until;
  });
}

TimeRanges NumberSet::times(const RecordingTimes& times) const {
  constexpr Number zero = Number::of(0);
  TimeRanges ranges;
  for (const Interval& interval : intervals_) {
    const Number from = interval.from_share ? Number::of(times.from(*interval.from_share)) : interval.from;
    const Number until = interval.until_share ? Number::of(times.until(*interval.until_share)) : interval.until;
    if (until >= zero) ranges.push_back({.from = std::max(from, zero).bits, .until = until.bits});
  }
  return in_order(std::move(ranges));
}

TimeRanges Predicate::times(const FilterState&) const { return all_time(); }

TimeRanges NumberTest::times(const FilterState& state) const {
  if (source_.fact != Fact::time || source_.decode != nullptr || source_.mask) return all_time();
  const TimeRanges ranges = set_.times(state.times());
  return in_ ? ranges : in_none_of(ranges);
}

bool NumberTest::holds(Evaluation& about) const {
  const auto value = source_.number(about);
  return value && set_.has(*value, about.state.times()) == in_;
}

bool NumberPairTest::holds(Evaluation& about) const {
  const auto left = left_.number(about);
  if (!left) return false;
  const auto right = right_.number(about);
  return right && compare(*left, comparison_, *right);
}

bool RatioTest::holds(Evaluation& about) const {
  const auto instructions = about.sample.number(Fact::insn_count);
  const auto cycles = about.sample.number(Fact::cycle_count);
  if (!instructions || !cycles || cycles->bits == 0) return false;
  return compare(static_cast<double>(instructions->bits) / static_cast<double>(cycles->bits), comparison_, limit_);
}

std::uint64_t RatioTest::facts() const { return bits_of({Fact::insn_count, Fact::cycle_count}); }

bool BitsTest::holds(Evaluation& about) const {
  const auto value = source_.number(about);
  return value && ((value->bits & bits_) != 0) == any_;
}

TextTest::TextTest(Cost cost, FactSource source, std::vector<TextPattern> patterns, bool matches, std::size_t memo)
    : Predicate(cost),
      source_(source),
      patterns_(std::move(patterns)),
      matches_(matches),
      memo_(memo),
      is_costly_(patterns_.size() > 4 || std::ranges::any_of(patterns_, &TextPattern::is_costly)) {}

bool TextTest::holds(Evaluation& about) const {
  const auto text = source_.text(about);
  if (!text) return false;
  if (!is_costly_) return any_matches(patterns_, *text) == matches_;
  return about.state.remembered(memo_, *text, [&] { return any_matches(patterns_, *text); }) == matches_;
}

bool TextPairTest::holds(Evaluation& about) const {
  const auto left = left_.text(about);
  if (!left) return false;
  const std::string copy(*left);  // a frame's is only valid until the next one
  const auto right = right_.text(about);
  return right && (copy == *right) == equal_;
}

bool TracepointTest::matches(std::string_view text) const { return any_matches(patterns_, text); }

bool TracepointTest::holds(Evaluation& about) const {
  const TracepointValue value = source_.value(about);
  if (const auto* const text = std::get_if<std::string_view>(&value)) {
    return !patterns_.empty() && matches(*text) == in_;
  }
  const auto* const number = std::get_if<Number>(&value);
  if (number == nullptr) return false;
  if (patterns_.empty()) return set_.has(*number, about.state.times()) == in_;
  return is_task_state_ && matches(task_state(number->bits)) == in_;
}

TracepointValue TracepointPairTest::right(Evaluation& about) const {
  if (!right_fact_) return right_.value(about);
  if (right_is_text_) {
    const auto text = right_fact_->text(about);
    return text ? TracepointValue(*text) : TracepointValue();
  }
  const auto number = right_fact_->number(about);
  return number ? TracepointValue(*number) : TracepointValue();
}

bool TracepointPairTest::holds(Evaluation& about) const {
  const TracepointValue a = left_.value(about);
  const std::string copy(std::holds_alternative<std::string_view>(a) ? std::get<std::string_view>(a) : "");
  const TracepointValue b = right(about);
  if (a.index() != b.index() || a.index() == 0) return false;
  if (const auto* const number = std::get_if<Number>(&a)) return compare(*number, comparison_, std::get<Number>(b));
  return compare(std::string_view(copy), comparison_, std::get<std::string_view>(b));
}

bool RecordedTest::holds(Evaluation& about) const {
  if (!fact_) return !std::holds_alternative<std::monostate>(tracepoint_.value(about));
  return is_text_ ? fact_->text(about).has_value() : fact_->number(about).has_value();
}

bool StackHas::holds(Evaluation& about) const {
  SampleFacts& sample = about.sample;
  const auto holds_of = [&](std::size_t i) {
    Evaluation about_frame{.sample = sample, .code = sample.frame(i), .state = about.state};
    return frame_->holds(about_frame);
  };
  const auto any = [&] {
    const std::span<const std::uint32_t> numbers = memo_ ? sample.frame_numbers() : std::span<const std::uint32_t>();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (about.state.remembered_of_frame(*memo_, numbers[i], [&] { return holds_of(i); })) return true;
    }
    if (!numbers.empty()) return false;
    for (std::size_t i = 0; i < sample.stack_depth(); ++i) {
      if (holds_of(i)) return true;
    }
    return false;
  };
  const auto number = memo_ ? about.sample.stack_number() : std::nullopt;
  return number ? about.state.remembered_of_stack(*memo_, *number, any) : any();
}

bool ContextTest::holds(Evaluation& about) const {
  const auto answer = [&] { return BitsTest::holds(about); };
  const auto number = about.sample.stack_number();
  return number ? about.state.remembered_of_stack(memo_, *number, answer) : answer();
}

bool WakerHas::holds(Evaluation& about) const {
  for (std::size_t i = 0; i < about.sample.waker_depth(); ++i) {
    Evaluation about_frame{.sample = about.sample, .code = about.sample.waker_frame(i), .state = about.state};
    if (frame_->holds(about_frame)) return true;
  }
  return false;
}

bool First::holds(Evaluation& about) const {
  std::uint64_t& asked = about.state.counter(counter_);
  return asked < n_ && (++asked, true);
}

Random::Random(double share, std::uint64_t seed)
    : Predicate(Cost::record),
      limit_(share >= 1 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(std::ldexp(share, 64))),
      seed_(mixed(seed)) {}

bool Random::holds(Evaluation& about) const {
  std::uint64_t hash = seed_;
  for (const Fact fact : drawn_by) {
    const auto value = about.sample.number(fact);
    hash = mixed(hash ^ (value ? value->bits : 0));
  }
  return hash < limit_ || limit_ == ~std::uint64_t{0};
}

std::uint64_t Random::facts() const { return bits_of(drawn_by); }

bool Window::holds(Evaluation& about) const {
  const auto time = about.sample.number(Fact::time);
  return time && about.state.is_in_window(number_, time->bits);
}

std::vector<const Predicate*> Window::parts() const {
  if (until_ == nullptr) return {from_.get()};
  return {from_.get(), until_.get()};
}

Joined::Joined(How how, std::vector<PredicatePtr> parts)
    : Predicate(dearest(parts)), how_(how), parts_(cheapest_first(std::move(parts))) {
  set_counts(std::ranges::any_of(parts_, [](const PredicatePtr& part) { return part->counts(); }));
}

bool Joined::holds(Evaluation& about) const {
  const bool decisive = how_ == How::any;
  return std::ranges::any_of(parts_, [&](const PredicatePtr& part) { return part->holds(about) == decisive; }) ==
         decisive;
}

TimeRanges Joined::times(const FilterState& state) const {
  const bool all = how_ == How::all;
  TimeRanges times = all ? all_time() : TimeRanges();
  for (const PredicatePtr& part : parts_) {
    times = all ? in_both(times, part->times(state)) : in_any(times, part->times(state));
  }
  return times;
}

std::vector<const Predicate*> Joined::parts() const { return pointers(parts_); }

}  // namespace perfsift::filter
