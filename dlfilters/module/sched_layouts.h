// The places of the numbers in the scheduler's tracepoints, without the recording's formats.
//
// A recording's formats say where fields lie, but perf does not show the formats to a dlfilter, and those of the
// machine it runs on may be others. So the layouts that 64-bit kernels have had are written down here, and recognised
// by the size of the raw data: an event of any other layout is not read.
#pragma once

#include <string_view>

#include "analysis/offcpu/sched_tracepoint.h"
#include "base/byte_reader.h"

namespace perfsift::dlfilter {

// Whether any layout of the tracepoint is known.
bool has_layout(offcpu::SchedKind kind);

// Fills in the fields of `event.kind`. `raw` includes the kernel's padding. False: the layout is unknown.
bool read_sched_event(Bytes raw, offcpu::SchedEvent& event);

// The names in the raw data of sched_switch. They lie in `raw`.
struct SwitchComms {
  std::string_view prev;
  std::string_view next;
};
SwitchComms comms_of_switch(Bytes raw);

}  // namespace perfsift::dlfilter
