// Events that are tried: opened and closed again, to find out whether this process may record them.
#pragma once

#include <functional>

#include "reader/format/event.h"
#include "record/events/event_request.h"
#include "record/rings/counter.h"

namespace perfsift::record {

// Opens an event, and closes it again. Returns 0, or the error number of the kernel. Tests give their own.
using OpenTrial = std::function<int(const reader::EventAttr& attr, const CounterPlace& place)>;
int try_to_open(const reader::EventAttr& attr, const CounterPlace& place);

// The place at which events are tried.
inline constexpr CounterPlace this_thread{.tid = 0};

// The attr with what decides about rights: a tracepoint is recorded with its data, for which perf_trace_event_perm() in
// kernel/trace/trace_event_perf.c has a rule of its own. The event is disabled.
reader::EventAttr trial_attr(const EventRequest& event);

// Leaves out the code of the kernel, which a user without privileges may not record. False: nothing would be left, as
// of an event of the kernel alone, and of a tracepoint (perf_tp_event_match() in kernel/events/core.c).
bool leave_out_kernel(reader::EventAttr& attr);

// Whether this process may open an event, on itself; without the kernel where privileges lack, as EventOpener opens it.
bool can_open(const EventRequest& event, const OpenTrial& open = try_to_open);

}  // namespace perfsift::record
