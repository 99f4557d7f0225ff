#include "analysis/offcpu/sched_tracepoint.h"

#include <algorithm>
#include <iterator>

namespace perfsift::offcpu {

const SchedTracepoint* find_sched_tracepoint(std::string_view name) {
  static constexpr SchedTracepoint tracepoints[] = {
      {"sched_switch", SchedKind::switch_, "prev_pid", "prev_state", "next_pid"},
      {"sched_waking", SchedKind::waking, "pid"},
      {"sched_wakeup", SchedKind::wakeup, "pid"},
      {"sched_wakeup_new", SchedKind::wakeup_new, "pid"},
      {"sched_stat_wait", SchedKind::stat_wait, "pid", "delay"},
      {"sched_stat_sleep", SchedKind::stat_sleep, "pid"},
      {"sched_stat_blocked", SchedKind::stat_sleep, "pid"},
      {"sched_stat_iowait", SchedKind::stat_sleep, "pid"},
      {"sched_stat_runtime", SchedKind::stat_runtime, "pid", "runtime"},
      {"sched_process_fork", SchedKind::fork, "child_pid"},
      {"sched_process_exec", SchedKind::exec, "pid", {}, "old_pid"},
  };
  const auto* const found = std::ranges::find(tracepoints, name, &SchedTracepoint::name);
  return found != std::end(tracepoints) ? found : nullptr;
}

}  // namespace perfsift::offcpu
