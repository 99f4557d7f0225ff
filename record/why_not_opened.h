// Why the kernel refused an event, and what to change: evsel__open_strerror() in tools/perf/util/evsel.c has the same
// purpose.
#pragma once

#include <string>

#include "reader/format/event.h"
#include "record/rings/counter.h"

namespace perfsift::record {

// `error`: the errno of perf_event_open(). The text begins with the name of the event and has no full stop at its end.
// `proc`: where the kernel's settings are ("/proc").
std::string why_not_opened(const std::string& name, const reader::EventAttr& attr, const CounterPlace& place, int error,
                           const std::string& proc);

}  // namespace perfsift::record
