// The event clock as a function of a CPU's counter.
#pragma once

#include <algorithm>
#include <cstdint>

#include "reader/records/header_records.h"

namespace perfsift::reader {

// tsc_to_perf_time() and perf_time_to_tsc() in tools/perf/util/tsc.c. Without a TIME_CONV record all times are 0, as in
// perf.
class CounterClock {
 public:
  explicit CounterClock(const TimeConv& conversion)
      : zero_(conversion.zero),
        multiplier_(conversion.multiplier & 0xffffffff),
        shift_(static_cast<unsigned>(std::min<std::uint64_t>(conversion.shift, 63))) {
    if (conversion.short_counter && conversion.short_counter->has_short_time) {
      cycles_ = conversion.short_counter->cycles;
      mask_ = conversion.short_counter->mask;
    }
  }

  std::uint64_t time(std::uint64_t counter) const {
    counter = cycles_ + ((counter - cycles_) & mask_);
    const std::uint64_t rest = counter & ((std::uint64_t{1} << shift_) - 1);
    return zero_ + (counter >> shift_) * multiplier_ + ((rest * multiplier_) >> shift_);
  }

  // The first counter value that is not before `time`, up to rounding.
  std::uint64_t counter(std::uint64_t time) const {
    if (multiplier_ == 0) return 0;
    const std::uint64_t since = time - zero_;
    return (since / multiplier_ << shift_) + ((since % multiplier_ << shift_) / multiplier_);
  }

 private:
  std::uint64_t zero_;
  std::uint64_t multiplier_;
  unsigned shift_;
  std::uint64_t cycles_ = 0;
  std::uint64_t mask_ = ~std::uint64_t{0};
};

}  // namespace perfsift::reader
