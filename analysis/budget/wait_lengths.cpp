#include "analysis/budget/wait_lengths.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <list>
#include <optional>

#include <fmt/format.h>

#include "analysis/offcpu/dispatcher.h"
#include "analysis/offcpu/evidence.h"
#include "analysis/offcpu/interval_facts.h"
#include "analysis/offcpu/interval_selection.h"
#include "analysis/offcpu/recording_feed.h"
#include "analysis/samples/code_versions.h"

namespace perfsift::analysis {
namespace {

using filter::MeasureOf;
using filter::Quantity;
using filter::WaitPart;

constexpr double z = 1.959963984540054;  // 95 % of a normal distribution are within z standard deviations

std::optional<std::uint64_t> length_of(WaitPart part, const offcpu::Interval& interval) {
  if (part == WaitPart::off_cpu) return interval.length();
  if (!interval.run_queue_is_known()) return std::nullopt;
  return part == WaitPart::blocked ? interval.blocked : interval.run_queue;
}

// Takes each interval of which both ends were recorded, for each assertion that asks about it.
class IntervalTaker : public offcpu::Consumer {
 public:
  IntervalTaker(const filter::Budget& budget, const reader::Recording& recording, offcpu::IntervalFacts& facts,
                std::vector<WaitLengths>& lengths)
      : budget_(budget), lengths_(lengths) {
    for (const filter::Assertion& assertion : budget.assertions) {
      selections_.emplace_back(nullptr);
      if (assertion.of != MeasureOf::waits) continue;
      selections_.back() = std::make_unique<offcpu::IntervalSelection>(assertion.filter, recording, facts);
    }
  }

  void interval(const offcpu::Interval& interval) override {
    if (!interval.is_whole()) return;
    for (std::size_t i = 0; i < selections_.size(); ++i) {
      if (selections_[i] == nullptr || !selections_[i]->keeps(interval)) continue;
      if (const auto length = length_of(budget_.assertions[i].wait, interval)) lengths_[i].add(*length);
    }
  }

 private:
  const filter::Budget& budget_;
  std::vector<WaitLengths>& lengths_;
  std::vector<std::unique_ptr<offcpu::IntervalSelection>> selections_;  // by assertion; nullptr: about something else
};

// The interval of a percentile, by ranks: the number of values below it is binomial.
MeasuredValue percentile_of(double percent, const Distribution& lengths) {
  const double count = static_cast<double>(lengths.count()), part = percent / 100;
  const double radius = z * std::sqrt(count * part * (1 - part));
  const auto at_rank = [&](double rank) {
    return static_cast<double>(lengths.percentile(std::clamp(100 * rank / count, 0.0, 100.0)));
  };
  const double low = std::floor(count * part - radius), high = std::ceil(count * part + radius);
  MeasuredValue result = MeasuredValue::exact(at_rank(count * part), lengths.count(), "intervals");
  result.value->low = low < 1 ? 0 : std::min(at_rank(low), result.value->value);
  result.value->high = high > count ? std::numeric_limits<double>::infinity() : at_rank(high);
  if (high > count) {
    const double needed = std::ceil(z * z * part / (1 - part));
    result.note = fmt::format("percentile {} needs about {:.0f} intervals", percent, needed);
  }
  return result;
}

MeasuredValue mean_of(const WaitLengths& waits) {
  constexpr std::uint64_t fewest = 8;
  const std::uint64_t intervals = waits.lengths.count();
  if (intervals < fewest) {
    return MeasuredValue::not_known(fmt::format("a mean needs {} intervals, and there are {}", fewest, intervals));
  }
  const double count = static_cast<double>(intervals), mean = static_cast<double>(waits.lengths.sum()) / count;
  const double variance = std::max(0.0, waits.squares / count - mean * mean) * count / (count - 1);
  const double radius = z * std::sqrt(variance / count);
  MeasuredValue result = MeasuredValue::exact(mean, intervals, "intervals");
  result.value->low = std::max(0.0, mean - radius);
  result.value->high = mean + radius;
  return result;
}

}  // namespace

WaitCounter::WaitCounter(const filter::Budget& budget) : budget_(budget), lengths_(budget.assertions.size()) {}

void WaitCounter::count(reader::Recording& recording, symbolize::Symbolizer& symbolizer) {
  const bool waker_stacks = std::ranges::any_of(
      budget_.assertions, [](const filter::Assertion& assertion) { return assertion.filter.uses_waker_stack(); });
  const CodeVersions versions(recording, symbolizer);
  offcpu::Dispatcher dispatcher;
  offcpu::Scheduler scheduler(dispatcher);
  offcpu::StackTable stacks;
  offcpu::IntervalFacts facts(recording, symbolizer, scheduler, stacks);
  offcpu::RecordingFeed feed(recording, {.tables = &symbolizer.unwind_tables(), .code_versions = &versions}, versions,
                             {.waker_stacks = waker_stacks}, scheduler, stacks, dispatcher);
  IntervalTaker taker(budget_, recording, facts, lengths_);
  dispatcher.add(taker);
  recording.visit_in_order(feed);
  scheduler.finish();
  const offcpu::Evidence evidence{
      .sources = feed.sources(), .counts = scheduler.counts(), .whole_intervals = dispatcher.counts().whole};
  intervals_ += dispatcher.counts().whole;
  if (const auto why = offcpu::why_nothing_can_be_said(evidence)) missing_ = recording.path() + ": " + *why;
  if (const auto some = offcpu::missing_switches(evidence)) note_ = *some;
}

MeasuredValue WaitCounter::measured(std::size_t number) const {
  if (!missing_.empty()) return MeasuredValue::not_known(missing_);
  const filter::Assertion& assertion = budget_.assertions[number];
  const WaitLengths& waits = lengths_[number];
  const Distribution& lengths = waits.lengths;
  if (intervals_ == 0) return MeasuredValue::not_known("no interval off a CPU was recorded with both ends");
  if (lengths.count() == 0 && assertion.quantity != Quantity::count) {
    return MeasuredValue::not_known(fmt::format("none of {} intervals matches", intervals_));
  }
  MeasuredValue result;
  if (assertion.quantity == Quantity::percentile) {
    result = percentile_of(assertion.percentile, lengths);
  } else if (assertion.quantity == Quantity::mean) {
    result = mean_of(waits);
  } else {
    const std::uint64_t value = assertion.quantity == Quantity::longest ? lengths.max()
                                : assertion.quantity == Quantity::sum   ? lengths.sum()
                                                                        : lengths.count();
    result = MeasuredValue::exact(static_cast<double>(value), lengths.count(), "intervals");
  }
  if (!note_.empty()) result.note += (result.note.empty() ? "" : "; ") + note_;
  return result;
}

}  // namespace perfsift::analysis
