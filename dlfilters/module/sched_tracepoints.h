// What the tracepoints of the scheduler say.
//
// Where their fields lie is told by the recording's formats, which perf does not show to a dlfilter, and those of the
// machine it runs on may be others. So the layouts that 64-bit kernels have had are written down here, and told apart
// by their size: an event that has another one is not read.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/byte_reader.h"

namespace perfsift::dlfilter {

// `raw`: with the kernel's padding; names lie in it. Nothing: it is laid out in no way that is known here.

struct SchedSwitch {
  std::int32_t prev_pid = -1;
  std::uint64_t prev_state = 0;
  std::string_view prev_comm;
  std::int32_t next_pid = -1;
  std::string_view next_comm;
};
std::optional<SchedSwitch> decode_sched_switch(Bytes raw);

// sched_waking, sched_wakeup, sched_wakeup_new: the thread that is woken.
std::optional<std::int32_t> decode_sched_wakeup(Bytes raw);

// sched_process_fork: the new thread.
std::optional<std::int32_t> decode_sched_process_fork(Bytes raw);

// sched_process_exec, of a thread that perhaps gets another number by it.
struct SchedProcessExec {
  std::int32_t pid = -1;
  std::int32_t old_pid = -1;
};
std::optional<SchedProcessExec> decode_sched_process_exec(Bytes raw);

}  // namespace perfsift::dlfilter
