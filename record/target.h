// Whom a session records: CPUs, processes, threads, control groups, or a command that the session starts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/machine/kernel_files.h"

namespace perfsift::record {

struct Target {
  bool system_wide = false;             // all threads of `cpus`, or of all CPUs
  std::vector<unsigned> cpus;           // empty: all that are online. Without processes and threads: as system_wide
  std::vector<std::int32_t> processes;  // with all their threads
  std::vector<std::int32_t> threads;
  std::optional<std::uint32_t> user;  // all processes of a user
  // Paths below the root of the cgroup file system; one for each event, or one for all. All threads of the CPUs that
  // are in the cgroup: as system_wide.
  std::vector<std::string> cgroups;
  std::vector<std::string> command;  // started by the session, after everything is open
  bool inherit = true;               // threads and processes that the recorded ones start are recorded, too
  // Each thread has one ring for all CPUs instead of a ring for each CPU, and nothing is inherited: the kernel maps no
  // inherited event that is bound to no CPU (perf_mmap() in kernel/events/core.c).
  bool per_thread = false;

  bool names_threads() const { return !processes.empty() || !threads.empty() || user.has_value(); }
  // All threads of CPUs are recorded, whoever they are.
  bool on_cpus() const {
    return system_wide || !cgroups.empty() || (!names_threads() && (!cpus.empty() || command.empty()));
  }
};

// A place at which each event is opened. tid -1: any thread; cpu -1: any CPU.
struct Place {
  std::int32_t tid = -1;
  std::int32_t cpu = -1;
  bool operator==(const Place&) const = default;
};

// The places of a target. `command` is the pid of the command, which was started but has not executed its program.
// Throws UsageError when a process does not exist or a CPU is not online, and Error when the system does not say which
// CPUs are online.
std::vector<Place> places_of(const Target& target, std::optional<std::int32_t> command, const KernelRoots& folders);

// The CPUs of the places that are not online. The kernel removes the events of a CPU that goes, and does not say so.
std::vector<unsigned> offline_cpus(const std::vector<Place>& places, const KernelRoots& folders);

}  // namespace perfsift::record
