#include "output/speedscope/lane_clock.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/median.h"

namespace perfsift::output {
namespace {

// speedscope computes with doubles, which hold whole numbers up to here.
constexpr double longest_axis = 0x1p53;

double number(std::uint64_t value) { return static_cast<double>(value); }

bool has_times(const Lane& lane) {
  return !lane.is_of_unknown_threads() &&
         std::ranges::none_of(lane.samples, [](const LaneSample& sample) { return sample.time == reader::no_time; });
}

double median_value(const Lane& lane) {
  std::vector<double> values;
  for (const LaneSample& sample : lane.samples) {
    if (sample.amount.value != 0) values.push_back(number(sample.amount.value));
  }
  return median(std::move(values));
}

// Values a nanosecond, while the thread ran: in most of its time.
double usual_rate(const Lane& lane) {
  std::vector<double> rates;
  const LaneSample* before = nullptr;
  for (const LaneSample& sample : lane.samples) {
    if (before != nullptr && sample.time > before->time && sample.amount.value != 0)
      rates.push_back(number(sample.amount.value) / number(sample.time - before->time));
    before = &sample;
  }
  return median(std::move(rates));
}

}  // namespace

LaneClock::LaneClock(const Lane& lane, const ExportSource& source) {
  if (!source.one_recording || !has_times(lane)) return;
  rate_ = source.is_in_nanoseconds(lane.event) ? 1 : usual_rate(lane);
  least_gap_ = median_value(lane) / 2;
  start_ = source.first_time;
}

std::uint64_t LaneClock::gap_before(const LaneSample& sample) {
  if (rate_ == 0) return 0;
  const double value = number(sample.amount.value);
  const double start = number(sample.time - std::min(start_, sample.time)) * rate_ - value;
  // The first sample of all began before the axis.
  if (is_first_) end_ = std::min(start, 0.0);
  is_first_ = false;
  const bool is_gap = start - end_ > least_gap_ && start + value < longest_axis;
  const double gap = is_gap ? std::floor(start - end_) : 0;
  end_ += gap + value;
  return static_cast<std::uint64_t>(gap);
}

}  // namespace perfsift::output
