// What the kernel allows this process: settings, limits and capabilities that decide whether events can be opened.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace perfsift::record {

struct SystemSettings {
  // kernel.perf_event_paranoid: from 2 the kernel, from 1 also CPUs, from 0 also raw tracepoints need CAP_PERFMON
  // (Documentation/admin-guide/sysctl/kernel.rst); from 3 everything, if the kernel has the patch of Debian, Ubuntu and
  // Android. Other kernels treat 3 as 2.
  std::optional<int> paranoid;
  bool forbids_everything = false;               // `paranoid` does, as the kernel said when it was asked
  std::optional<std::uint64_t> mlock_kb;         // kernel.perf_event_mlock_kb: KiB of rings of a user, for each CPU
  std::optional<std::uint64_t> max_sample_rate;  // kernel.perf_event_max_sample_rate
  std::optional<std::uint64_t> max_stack;        // kernel.perf_event_max_stack
  std::uint64_t open_files = 0;                  // RLIMIT_NOFILE, the limit that is in effect
  std::uint64_t most_open_files = 0;             // and the limit to which the process may raise it
  bool may_observe = false;                      // CAP_PERFMON or CAP_SYS_ADMIN
  bool has_seccomp = false;                      // a filter of system calls is active
  bool in_container = false;
  bool in_virtual_machine = false;
  bool has_core_pmu = false;  // sysfs has a PMU of the CPU cores
  std::string release;        // of the kernel: "6.1.0-40-amd64"

  // The settings now. Values that cannot be read are absent.
  static SystemSettings read(const std::string& procfs = "/proc", const std::string& sysfs = "/sys");
};

}  // namespace perfsift::record
