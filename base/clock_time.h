// The clocks of clock_gettime(2), in nanoseconds.
#pragma once

#include <cstdint>
#include <ctime>

#include "base/duration.h"

namespace perfsift {

inline std::uint64_t nanoseconds_of(const timespec& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * one_second + static_cast<std::uint64_t>(time.tv_nsec);
}

// 0 for a clock that does not exist.
inline std::uint64_t clock_time(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return nanoseconds_of(time);
}

}  // namespace perfsift
