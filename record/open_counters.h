// All counters of a session: each event at each place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/attr_configuration.h"
#include "record/rings/counter.h"
#include "record/target.h"

namespace perfsift::record {

struct OpenCounter {
  Counter counter;
  std::size_t event = 0;  // index in the list of events
  Place place;
};

struct CounterRequest {
  const SessionPlan& plan;
  std::optional<std::int32_t> command;  // the pid of the command
  const KernelRoots& folders;
};

// Opens `events` and changes them to what the kernel accepts; see EventOpener. A thread that ends meanwhile is left
// out, and so is a CPU that goes offline. Throws Error when an event cannot be opened, or when all threads or CPUs have
// gone; UsageError when the target does not exist.
std::vector<OpenCounter> open_counters(const CounterRequest& request, std::vector<SessionEvent>& events,
                                       std::vector<std::string>& left_out);

}  // namespace perfsift::record
