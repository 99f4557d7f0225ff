#include "tools/record/recorder_priority.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sched.h>

#include "base/error.h"

namespace perfsift::tools {

void run_in_real_time(int priority) {
  sched_param wanted{};
  wanted.sched_priority = priority;
  if (sched_setscheduler(0, SCHED_FIFO, &wanted) == 0) return;
  const char* const advice =
      errno == EPERM ? ": run as root, with CAP_SYS_NICE, or with a limit that allows it (ulimit -r)" : "";
  throw Error(fmt::format("--realtime {}: {}{}", priority, std::strerror(errno), advice));
}

}  // namespace perfsift::tools
