// The sampling period of an event.
#pragma once

#include <cstdint>
#include <string>

namespace perfsift::analysis {

struct SamplingPeriod {
  std::uint64_t number = 0;     // 0: not constant, or not known
  std::uint64_t frequency = 0;  // samples per second that the kernel aimed at, instead of a period; 0: not known
  // The type and unit of the number, in the words of pprof: "cpu", "nanoseconds". Empty: the event itself.
  std::string type, unit;
};

}  // namespace perfsift::analysis
