// Events that write a hardware trace into an AUX area: what a session can record of them, and how. The twin of
// arm_spe_recording_options() in tools/perf/arch/arm64/util/arm-spe.c.
//
// The samples are in the trace, which is decoded when the recording is read (reader/auxtrace). The kernel writes no
// SAMPLE for such an event.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reader/format/event.h"
#include "record/session_plan.h"

namespace perfsift::record {

bool records_traces(const SessionPlan& plan);

// Throws UsageError if the plan has traces that cannot be recorded.
void refuse_impossible_traces(const SessionPlan& plan);

// Makes the attr of `request`, which must have a trace, that of a traced event: `attr` has what all samples have.
// `left_out` gets a sentence if the plan wants something that a trace cannot have.
void configure_trace(reader::EventAttr& attr, const EventRequest& request, const SampleContent& content,
                     std::vector<std::string>& left_out);

// The size of AUX areas in bytes: a power of two of pages. perf's defaults are 4 MiB, and 128 KiB for users without
// CAP_PERFMON, who may lock little memory.
std::size_t aux_area_bytes(const RingPlan& plan, bool may_observe);

}  // namespace perfsift::record
