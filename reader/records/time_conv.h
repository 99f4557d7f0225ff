// PERF_RECORD_TIME_CONV: how the CPU's time stamp counter becomes the event clock: see `struct perf_event_mmap_page`.
#pragma once

#include <cstdint>
#include <optional>

#include "reader/record.h"

namespace perfsift::reader {

struct TimeConv {
  // For counters of fewer than 64 bits: time_cycles, time_mask and what the kernel offers.
  struct ShortCounter {
    std::uint64_t cycles = 0;
    std::uint64_t mask = 0;
    bool has_time_zero = false;
    bool has_short_time = false;
  };

  std::uint64_t shift = 0;
  std::uint64_t multiplier = 0;
  std::uint64_t zero = 0;
  std::optional<ShortCounter> short_counter;  // since perf 5.10
};

std::optional<TimeConv> decode_time_conv(const Record& record);

}  // namespace perfsift::reader
