// A sample of a SampleLog.
#pragma once

#include <cstdint>

#include "analysis/profile/profile.h"
#include "reader/format/record.h"

namespace perfsift::analysis {

struct LoggedSample {
  static constexpr std::uint32_t no_stack = ~std::uint32_t{0};

  std::uint64_t time = reader::no_time;  // nanoseconds; no_time: not recorded
  std::uint64_t value = 0;               // see Weight
  std::uint64_t position = 0;            // of its record in a recording: see reader::Moment
  std::uint32_t stack = no_stack;        // number in the profile; no_stack: without frames
  std::uint32_t context = 0;             // index into SampleLog::contexts()
  std::int32_t cpu = -1;                 // -1: not recorded
  std::uint32_t event : 24 = 0;          // EventId
  std::uint32_t mode : 8 = 0;            // reader::CpuMode
};

}  // namespace perfsift::analysis
