#include "analysis/budget/wait_lengths.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "analysis/budget/block_bootstrap.h"
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
    for (WaitLengths& each : lengths) each.blocks.begin_recording();
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
      if (const auto length = length_of(budget_.assertions[i].wait, interval)) lengths_[i].add(interval.end, *length);
    }
  }

 private:
  const filter::Budget& budget_;
  std::vector<WaitLengths>& lengths_;
  std::vector<std::unique_ptr<offcpu::IntervalSelection>> selections_;  // by assertion; nullptr: about something else
};

// The bounds of what part_of(block) adds up to, per wait.
template <typename PartOf>
std::optional<Bounds> bounds_per_wait(const WaitLengths& waits, PartOf&& part_of) {
  std::vector<BlockRatio> blocks;
  for (const Distribution& block : waits.blocks.blocks())
    blocks.push_back({.part = static_cast<double>(part_of(block)), .all = static_cast<double>(block.count())});
  return bounds_of_ratio(blocks);
}

// How far the share of values up to a percentile may be from what was measured, below and above: at least as far as
// that of independent values, which is binomial; farther, where long values come together.
Bounds share_radius(double part, std::uint64_t percentile, const WaitLengths& waits) {
  const auto count = static_cast<double>(waits.lengths.count());
  const double binomial = z * std::sqrt(part * (1 - part) / count);
  const std::optional<Bounds> share =
      bounds_per_wait(waits, [&](const Distribution& block) { return block.count_up_to(percentile); });
  if (!share) return {.low = binomial, .high = binomial};
  const double measured = static_cast<double>(waits.lengths.count_up_to(percentile)) / count;
  return {.low = std::max(binomial, measured - share->low), .high = std::max(binomial, share->high - measured)};
}

// The interval of a percentile, by ranks (Woodruff 1952): where the share of values below it is less by chance, the
// true percentile is larger.
MeasuredValue percentile_of(double percent, const WaitLengths& waits) {
  const Distribution& lengths = waits.lengths;
  const double count = static_cast<double>(lengths.count()), part = percent / 100;
  const Bounds radius = share_radius(part, lengths.percentile(percent), waits);
  const auto at_rank = [&](double rank) {
    return static_cast<double>(lengths.percentile(std::clamp(100 * rank / count, 0.0, 100.0)));
  };
  const double low = std::floor(count * (part - radius.high)), high = std::ceil(count * (part + radius.low));
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
  const Bounds bounds =
      bounds_per_wait(waits, [](const Distribution& block) { return block.sum(); }).value_or(Bounds{mean, mean});
  MeasuredValue result = MeasuredValue::exact(mean, intervals, "intervals");
  result.value->low = std::max(0.0, std::min(mean - radius, bounds.low));
  result.value->high = std::max(mean + radius, bounds.high);
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
  offcpu::RecordingFeed feed(recording, {.symbolizer = &symbolizer, .code_versions = &versions}, versions,
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
    result = percentile_of(assertion.percentile, waits);
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
