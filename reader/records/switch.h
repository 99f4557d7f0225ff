// PERF_RECORD_SWITCH and PERF_RECORD_SWITCH_CPU_WIDE: a thread came onto a CPU or left it. Which thread is in the
// sample_id trailer.
#pragma once

#include <cstdint>
#include <optional>

#include "reader/record.h"

namespace perfsift::reader {

struct Switch {
  struct Other {
    std::int32_t pid = -1;
    std::int32_t tid = -1;
  };

  bool out = false;            // it left
  bool preempted = false;      // and would have liked to stay
  std::optional<Other> other;  // SWITCH_CPU_WIDE: who comes next, or was before
};

// Of a SWITCH or a SWITCH_CPU_WIDE.
std::optional<Switch> decode_switch(const Record& record);

}  // namespace perfsift::reader
