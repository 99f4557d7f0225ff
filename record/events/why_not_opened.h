// Why the kernel refuses an event or its ring, in words: what happened, to which event, and what to change.
//
// perf_event_open(2) gives an error number only. The likely reason follows from the event and from the settings of the
// system, and is said as likely where several are possible. (perf: evsel__open_strerror() in tools/perf/util/evsel.c.)
#pragma once

#include <cstddef>
#include <string>

#include "record/events/event_request.h"
#include "record/events/system_settings.h"
#include "record/rings/counter.h"

namespace perfsift::record {

// `error`: what Counter::open() gives. `needed_files`: how many descriptors the whole session needs; 0: unknown.
// "cannot open event 'cycles' of all threads on CPU 3: Permission denied. …"
std::string why_not_opened(const EventRequest& event, const CounterPlace& place, int error,
                           const SystemSettings& settings, std::size_t needed_files = 0);

// For Ring::map(): `bytes` of one ring.
std::string why_not_mapped(const EventRequest& event, const CounterPlace& place, int error, std::size_t bytes,
                           const SystemSettings& settings);
// For AuxArea::map(): `bytes` of one area.
std::string why_no_aux_area(const EventRequest& event, const CounterPlace& place, int error, std::size_t bytes,
                            const SystemSettings& settings);

}  // namespace perfsift::record
