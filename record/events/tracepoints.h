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

// Why tracepoints cannot be read.
struct Unreadable {
  std::string fact;       // "cannot be read: /sys/kernel/tracing/events: Permission denied"
  std::string remedy;     // the command that changes it; empty: not known
  bool to_users = false;  // root can read them
};

// Thread-safe, as long as the folder does not change.
class Tracepoints {
 public:
  explicit Tracepoints(const EventSources& sources);

  // All that match; system and name may be globs. Sorted.
  std::vector<Tracepoint> find(const std::string& system, const std::string& name) const;
  std::vector<std::string> systems() const;
  std::vector<std::string> names(const std::string& system) const;
  // Why nothing can be found. Nothing: the folder is readable.
  std::optional<Unreadable> unreadable() const;
  // Why the number of a tracepoint that matches cannot be read. Nothing: none matches, or each can be read.
  std::optional<Unreadable> unreadable(const std::string& system, const std::string& name) const;

 private:
  std::string tracefs_;
  std::string folder_;
};

}  // namespace perfsift::record
