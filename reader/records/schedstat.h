// PERF_RECORD_SCHEDSTAT_CPU and PERF_RECORD_SCHEDSTAT_DOMAIN: /proc/schedstat at the start and at the end of
// `perf sched stats record`. The counters are described in Documentation/scheduler/sched-stats.rst in the kernel.
#pragma once

#include <cstdint>
#include <optional>

#include "reader/format/record.h"

namespace perfsift::reader {

struct SchedstatCpu {
  std::uint64_t time = 0;  // jiffies
  std::uint32_t cpu = 0;
  std::uint16_t version = 0;  // of /proc/schedstat: 15, 16 or 17
  std::uint32_t yields = 0;
  std::uint32_t array_expired = 0;  // legacy
  std::uint32_t schedules = 0;
  std::uint32_t schedules_idle = 0;
  std::uint32_t wakeups = 0;
  std::uint32_t wakeups_local = 0;
  std::uint64_t run_time = 0;
  std::uint64_t wait_time = 0;
  std::uint64_t timeslices = 0;
};

struct SchedstatDomain {
  // sched_balance_rq() on a CPU that was idle, busy, or just became idle.
  struct LoadBalance {
    std::uint32_t calls = 0, balanced = 0, failed = 0;
    std::uint32_t imbalance_load = 0;  // before version 17: all kinds of imbalance
    std::uint32_t imbalance_utilization = 0, imbalance_tasks = 0, imbalance_misfit = 0;
    std::uint32_t gained = 0, gained_hot = 0;
    std::uint32_t no_busier_queue = 0, no_busier_group = 0;
  };
  struct ActiveBalance {
    std::uint32_t calls = 0, failed = 0, pushed = 0;
  };
  struct TaskBalance {  // the kernel no longer counts these
    std::uint32_t calls = 0, balanced = 0, pushed = 0;
  };

  std::uint64_t time = 0;  // jiffies
  std::uint32_t cpu = 0;
  std::uint16_t version = 0;
  std::uint16_t domain = 0;  // the CPU_DOMAIN_INFO feature has the name and CPUs
  LoadBalance idle, busy, newly_idle;
  ActiveBalance active;
  TaskBalance exec, fork;
  std::uint32_t wakeups_remote = 0, wakeups_moved_affine = 0, wakeups_moved_balance = 0;
};

// Nothing for versions with an unknown layout.
std::optional<SchedstatCpu> decode_schedstat_cpu(const Record& record);
std::optional<SchedstatDomain> decode_schedstat_domain(const Record& record);

}  // namespace perfsift::reader
