// Which kinds of events can be opened.
#pragma once

#include "record/doctor/recording_findings.h"

namespace perfsift::record {

// cycles, precise addresses, branches, memory accesses.
Findings hardware_findings(const Machine& machine);
// Tracepoints, waits, locks.
Findings tracepoint_findings(const Machine& machine);

// cpu-clock, which needs no hardware. `kernel`: also while the kernel runs.
EventRequest clock_event(const Machine& machine, bool kernel);

}  // namespace perfsift::record
