// The kinds of predicates.
//
// All of them are false for facts that were not recorded.
#pragma once

#include <optional>
#include <utility>

#include "filter/predicate.h"
#include "filter/text_pattern.h"

namespace perfsift::filter {

// --- where the values come from ---

// A fact of the sample, of the frame in question, or of a certain frame.
struct FactSource {
  Fact fact;
  Decode decode = nullptr;
  std::optional<int> frame;  // see Field::frame
  std::optional<std::uint64_t> mask;

  explicit FactSource(const Field& field) : fact(field.fact), decode(field.decode), frame(field.frame) {}
  std::optional<Number> number(Evaluation& about) const;
  std::optional<std::string_view> text(Evaluation& about) const;
  std::uint64_t bit() const { return std::uint64_t{1} << static_cast<unsigned>(fact); }

 private:
  Facts* of(Evaluation& about) const;  // nullptr: there is no such frame
};

// A field of a tracepoint.
struct TracepointSource {
  std::size_t field = 0;  // index into Filter::tracepoint_fields()
  std::optional<std::uint64_t> mask;

  TracepointValue value(Evaluation& about) const;
};

// --- what they are compared with ---

// A closed interval. An end that is a share of the recording is known once the recording is known.
struct Interval {
  Number from = lowest_number;
  Number until = highest_number;
  std::optional<double> from_share;
  std::optional<double> until_share;
};

// A set of numbers: intervals, ascending.
class NumberSet {
 public:
  explicit NumberSet(std::vector<Interval> intervals);
  bool has(Number number, const RecordingTimes& times) const;
  bool has_shares() const { return has_shares_; }
  const std::vector<Interval>& intervals() const { return intervals_; }
  // The set as ranges of times.
  TimeRanges times(const RecordingTimes& times) const;

 private:
  std::vector<Interval> intervals_;
  bool has_shares_ = false;
};

enum class Comparison : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };

template <typename T>
bool compare(const T& a, Comparison comparison, const T& b) {
  switch (comparison) {
    case Comparison::equal:
      return a == b;
    case Comparison::not_equal:
      return a != b;
    case Comparison::less:
      return a < b;
    case Comparison::less_equal:
      return a <= b;
    case Comparison::greater:
      return a > b;
    case Comparison::greater_equal:
      return a >= b;
  }
  return false;
}

// --- tests ---

// A number is in a set, or is not.
class NumberTest : public Predicate {
 public:
  NumberTest(Cost cost, FactSource source, NumberSet set, bool in)
      : Predicate(cost), source_(source), set_(std::move(set)), in_(in) {}
  bool holds(Evaluation& about) const override;
  TimeRanges times(const FilterState& state) const override;
  std::uint64_t facts() const override { return source_.bit(); }

  const FactSource& source() const { return source_; }
  const NumberSet& set() const { return set_; }
  bool in() const { return in_; }

 private:
  const FactSource source_;
  const NumberSet set_;
  const bool in_;
};

// Two numbers of the same sample.
class NumberPairTest : public Predicate {
 public:
  NumberPairTest(Cost cost, FactSource left, Comparison comparison, FactSource right)
      : Predicate(cost), left_(left), comparison_(comparison), right_(right) {}
  bool holds(Evaluation& about) const override;
  std::uint64_t facts() const override { return left_.bit() | right_.bit(); }

 private:
  const FactSource left_;
  const Comparison comparison_;
  const FactSource right_;
};

// Instructions by cycles.
class RatioTest : public Predicate {
 public:
  RatioTest(Comparison comparison, double limit) : Predicate(Cost::record), comparison_(comparison), limit_(limit) {}
  bool holds(Evaluation& about) const override;
  std::uint64_t facts() const override;

 private:
  const Comparison comparison_;
  const double limit_;
};

// Some of the bits are set, or none is.
class BitsTest : public Predicate {
 public:
  BitsTest(Cost cost, FactSource source, std::uint64_t bits, bool any)
      : Predicate(cost), source_(source), bits_(bits), any_(any) {}
  bool holds(Evaluation& about) const override;
  std::uint64_t facts() const override { return source_.bit(); }

  const FactSource& source() const { return source_; }
  std::uint64_t bits() const { return bits_; }
  bool any() const { return any_; }

 private:
  const FactSource source_;
  const std::uint64_t bits_;
  const bool any_;
};

// A text matches one of some patterns, or none.
class TextTest : public Predicate {
 public:
  // `memo`: the number of the table of kept answers.
  TextTest(Cost cost, FactSource source, std::vector<TextPattern> patterns, bool matches, std::size_t memo);
  bool holds(Evaluation& about) const override;
  std::uint64_t facts() const override { return source_.bit(); }

  const FactSource& source() const { return source_; }
  const std::vector<TextPattern>& patterns() const { return patterns_; }
  bool matches() const { return matches_; }

 private:
  const FactSource source_;
  const std::vector<TextPattern> patterns_;
  const bool matches_;
  const std::size_t memo_;
  const bool is_costly_;
};

// Two texts of the same sample are equal, or are not.
class TextPairTest : public Predicate {
 public:
  TextPairTest(Cost cost, FactSource left, bool equal, FactSource right)
      : Predicate(cost), left_(left), equal_(equal), right_(right) {}
  bool holds(Evaluation& about) const override;
  std::uint64_t facts() const override { return left_.bit() | right_.bit(); }

 private:
  const FactSource left_;
  const bool equal_;
  const FactSource right_;
};

// A field of a tracepoint, which is a number or a text depending on the sample.
class TracepointTest : public Predicate {
 public:
  TracepointTest(TracepointSource source, NumberSet set, bool in)
      : Predicate(Cost::tracepoint), source_(source), set_(std::move(set)), in_(in) {}
  TracepointTest(TracepointSource source, std::vector<TextPattern> patterns, bool in, bool is_task_state)
      : Predicate(Cost::tracepoint),
        source_(source),
        set_({}),
        patterns_(std::move(patterns)),
        in_(in),
        is_task_state_(is_task_state) {}
  bool holds(Evaluation& about) const override;

  const TracepointSource& source() const { return source_; }
  const NumberSet& set() const { return set_; }
  const std::vector<TextPattern>& patterns() const { return patterns_; }  // empty: numbers are compared
  bool in() const { return in_; }
  // Whether texts are compared with the letter of a number, too: see task_state.h.
  bool is_task_state() const { return is_task_state_; }

 private:
  bool matches(std::string_view text) const;

  const TracepointSource source_;
  const NumberSet set_;
  const std::vector<TextPattern> patterns_;  // empty: numbers are compared
  const bool in_;
  const bool is_task_state_ = false;
};

// A field of a tracepoint with another one, or with a fact.
class TracepointPairTest : public Predicate {
 public:
  TracepointPairTest(Cost cost, TracepointSource left, Comparison comparison, TracepointSource right)
      : Predicate(cost), left_(left), comparison_(comparison), right_(right) {}
  TracepointPairTest(Cost cost, TracepointSource left, Comparison comparison, FactSource right, bool right_is_text)
      : Predicate(cost), left_(left), comparison_(comparison), right_fact_(right), right_is_text_(right_is_text) {}
  bool holds(Evaluation& about) const override;
  std::uint64_t facts() const override { return right_fact_ ? right_fact_->bit() : 0; }

  // The fields of tracepoints that are compared: one, or two.
  std::vector<std::size_t> fields() const {
    return right_fact_ ? std::vector{left_.field} : std::vector{left_.field, right_.field};
  }

 private:
  TracepointValue right(Evaluation& about) const;

  const TracepointSource left_;
  const Comparison comparison_;
  const TracepointSource right_;
  const std::optional<FactSource> right_fact_;
  const bool right_is_text_ = false;
};

// A fact was recorded.
class RecordedTest : public Predicate {
 public:
  RecordedTest(Cost cost, FactSource source, bool is_text) : Predicate(cost), fact_(source), is_text_(is_text) {}
  explicit RecordedTest(TracepointSource source) : Predicate(Cost::tracepoint), tracepoint_(source) {}
  bool holds(Evaluation& about) const override;
  std::uint64_t facts() const override { return fact_ ? fact_->bit() : 0; }

  const std::optional<FactSource>& fact() const { return fact_; }  // nothing: the field of a tracepoint
  const TracepointSource& tracepoint() const { return tracepoint_; }

 private:
  const std::optional<FactSource> fact_;
  const bool is_text_ = false;
  const TracepointSource tracepoint_;
};

// --- of stacks ---

// A frame of the stack satisfies a predicate.
class StackHas : public Predicate {
 public:
  // `memo`: given if the answer depends only on frames, so that it is the same for equal stacks.
  explicit StackHas(PredicatePtr frame, std::optional<std::size_t> memo)
      : Predicate(Cost::stack), frame_(std::move(frame)), memo_(memo) {}
  bool holds(Evaluation& about) const override;
  std::vector<const Predicate*> parts() const override { return {frame_.get()}; }

 private:
  const PredicatePtr frame_;
  const std::optional<std::size_t> memo_;
};

// The context of the stack. The answer is the same for equal stacks.
class ContextTest : public BitsTest {
 public:
  ContextTest(FactSource source, std::uint64_t bits, bool any, std::size_t memo)
      : BitsTest(Cost::stack, source, bits, any), memo_(memo) {}
  bool holds(Evaluation& about) const override;

 private:
  const std::size_t memo_;
};

// About the stack of the thread that woke another thread.
class WakerHas : public Predicate {
 public:
  explicit WakerHas(PredicatePtr frame) : Predicate(Cost::stack), frame_(std::move(frame)) {}
  bool holds(Evaluation& about) const override;
  std::vector<const Predicate*> parts() const override { return {frame_.get()}; }

 private:
  const PredicatePtr frame_;
};

class StackIsTruncated : public Predicate {
 public:
  StackIsTruncated() : Predicate(Cost::stack) {}
  bool holds(Evaluation& about) const override { return about.sample.stack_truncated(); }
};

// --- of the samples before and around ---

// Every n-th sample that is evaluated.
class Every : public Predicate {
 public:
  Every(std::uint64_t n, std::size_t counter) : Predicate(Cost::record), n_(n), counter_(counter) { set_counts(true); }
  bool holds(Evaluation& about) const override { return ++about.state.counter(counter_) % n_ == 0; }

 private:
  const std::uint64_t n_;
  const std::size_t counter_;
};

// The first n samples that are evaluated.
class First : public Predicate {
 public:
  First(std::uint64_t n, std::size_t counter) : Predicate(Cost::record), n_(n), counter_(counter) { set_counts(true); }
  bool holds(Evaluation& about) const override;

 private:
  const std::uint64_t n_;
  const std::size_t counter_;
};

// A pseudo-random share of all samples, the same samples each time and in each program: the sample's time, thread, CPU,
// ip, id and address, and the seed, decide.
class Random : public Predicate {
 public:
  Random(double share, std::uint64_t seed);
  bool holds(Evaluation& about) const override;
  std::uint64_t facts() const override;

 private:
  const std::uint64_t limit_;  // of 2^64
  const std::uint64_t seed_;
};

// The time of the sample is in a window that other samples open and close: see WindowSearch.
class Window : public Predicate {
 public:
  // `until` nullptr: the windows are `radius` nanoseconds around each sample for which `from` is true.
  Window(PredicatePtr from, PredicatePtr until, std::uint64_t radius, std::size_t number)
      : Predicate(Cost::record), from_(std::move(from)), until_(std::move(until)), radius_(radius), number_(number) {}
  bool holds(Evaluation& about) const override;
  std::uint64_t facts() const override { return std::uint64_t{1} << static_cast<unsigned>(Fact::time); }
  std::vector<const Predicate*> parts() const override;
  TimeRanges times(const FilterState& state) const override { return state.window(number_); }

  const Predicate& from() const { return *from_; }
  const Predicate* until() const { return until_.get(); }
  std::uint64_t radius() const { return radius_; }

 private:
  const PredicatePtr from_;
  const PredicatePtr until_;
  const std::uint64_t radius_;
  const std::size_t number_;
};

// --- joined ---

// && and ||. The parts are evaluated from the cheapest to the dearest, but no part is moved across one that counts().
class Joined : public Predicate {
 public:
  enum class How : std::uint8_t { all, any };
  Joined(How how, std::vector<PredicatePtr> parts);
  bool holds(Evaluation& about) const override;
  How how() const { return how_; }
  std::vector<const Predicate*> parts() const override;
  TimeRanges times(const FilterState& state) const override;

 private:
  const How how_;
  const std::vector<PredicatePtr> parts_;
};

class Not : public Predicate {
 public:
  explicit Not(PredicatePtr part) : Predicate(part->cost()), part_(std::move(part)) { set_counts(part_->counts()); }
  bool holds(Evaluation& about) const override { return !part_->holds(about); }
  std::vector<const Predicate*> parts() const override { return {part_.get()}; }

 private:
  const PredicatePtr part_;
};

}  // namespace perfsift::filter
