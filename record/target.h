// Whom a session records: CPUs, processes, threads, control groups, or a command that the session starts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/owned.h"

namespace perfsift::record {

struct Target {
  bool system_wide = false;             // all threads of `cpus`, or of all CPUs
  std::vector<unsigned> cpus;           // empty: all that are online
  std::vector<std::int32_t> processes;  // with all their threads
  std::vector<std::int32_t> threads;
  std::optional<std::uint32_t> user;  // all processes of a user
  std::vector<std::string>
      cgroups;  // paths below the root of the cgroup file system; one for each event, or one for all
  std::vector<std::string> command;  // started by the session, after everything is open
  bool inherit = true;               // threads and processes that the recorded ones start are recorded, too
};

// A place at which each event is opened: see CounterPlace. A place has a ring.
struct Place {
  std::int32_t tid = -1;
  std::int32_t cpu = -1;
};

}  // namespace perfsift::record
