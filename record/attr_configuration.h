// What each event of a session asks of the kernel: the twin of evsel__config() and evlist__config() in
// tools/perf/util/evsel.c and record.c.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/session_plan.h"

namespace perfsift::record {

struct SessionEvent {
  reader::EventAttr attr;
  std::string name;
  std::size_t leader = 0;              // index of the group's leader; its own index: no group
  std::optional<std::size_t> request;  // index in SessionPlan::events; nothing: the dummy event of the session
  // The records beside samples come from this event. A dummy event is enabled from the moment at which it is open.
  bool tracks = false;
  bool traces = false;  // into the AUX area of its ring
};

// The dummy event stands last. Sentences for the user about what differs from the plan are appended to `left_out`.
// `max_sample_rate`: kernel.perf_event_max_sample_rate; nothing: unknown. Throws UsageError if a higher frequency is
// refused (SampleContent::strict_frequency).
std::vector<SessionEvent> configured_events(const SessionPlan& plan, std::optional<std::uint64_t> max_sample_rate,
                                            std::vector<std::string>& left_out);

// Whether the kernel enables the events when the command of the target executes its program.
bool enabled_on_exec(const SessionPlan& plan);

// Whether the samples of the event go into overwritten rings.
bool is_overwritten(const SessionPlan& plan, const EventRequest& request);

// The size of the rings in bytes: a power of two of pages.
std::size_t ring_bytes(const RingPlan& plan);
// The size of the ordinary rings: smaller where samples have overwritten rings, because other records are few.
std::size_t ordinary_ring_bytes(const RingPlan& plan);

// The registers that unwinding needs: PERF_REGS_MASK in tools/perf/arch/*/include/perf_regs.h. 0: not known for the
// machine that perfsift was built for.
std::uint64_t unwind_registers();

}  // namespace perfsift::record
