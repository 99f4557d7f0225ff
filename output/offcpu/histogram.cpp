#include "output/offcpu/histogram.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace perfsift::output {

HistogramBounds::HistogramBounds(double factor) {
  constexpr double first = 1e3, last = 60e9;
  for (double bound = first;; bound *= factor) {
    nanoseconds_.push_back(static_cast<std::uint64_t>(std::llround(bound)));
    seconds_.push_back(fmt::format("{}", static_cast<double>(nanoseconds_.back()) / 1e9));
    if (bound >= last) return;
  }
}

void Histogram::add(std::uint64_t nanoseconds, std::uint64_t times) {
  const auto bound = std::ranges::lower_bound(bounds_->nanoseconds(), nanoseconds);
  if (bound != bounds_->nanoseconds().end()) {
    counts_[static_cast<std::size_t>(bound - bounds_->nanoseconds().begin())] += times;
  }
  count_ += times;
  sum_ += nanoseconds * times;
}

}  // namespace perfsift::output
