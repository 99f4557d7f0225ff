// Tracepoints by name, as tracefs lists them: events/SYSTEM/NAME/id.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/events/event_parser.h"
#include "record/machine/run.h"

namespace perfsift::record {

// The root of tracefs: that of the sources, or where sysfs mounts it, in newer or older kernels.
std::string tracefs_of(const EventSources& sources);

struct Tracepoint {
  std::string system, name;
  std::uint64_t id = 0;
};

// The name of an event that is a tracepoint, without modifiers. Nothing: the event is none.
std::optional<TracepointName> tracepoint_name(const EventRequest& event);

// Thread-safe, as long as the folder does not change.
class Tracepoints {
 public:
  explicit Tracepoints(const EventSources& sources);

  // All that match; system and name may be globs. Sorted.
  std::vector<Tracepoint> find(const std::string& system, const std::string& name) const;
  std::vector<std::string> systems() const;
  std::vector<std::string> names(const std::string& system) const;
  // Why nothing can be found: "cannot be read: /sys/kernel/tracing/events: Permission denied". Empty: the folder is
  // readable.
  std::string unreadable() const;

 private:
  std::string folder_;
};

}  // namespace perfsift::record
