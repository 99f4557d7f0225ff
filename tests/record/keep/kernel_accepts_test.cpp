// The kernel of this machine takes the filters that --keep gives it.

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/owned.h"
#include "record/keep/keep_plan.h"
#include "record/keep/kernel_filter.h"
#include "record/keep/tracepoint_fields.h"

namespace perfsift::record {
namespace {

// sched:sched_switch as the kernel numbers it; nothing without the right to read tracefs.
std::optional<EventRequest> real_sched_switch() {
  EventRequest event;
  event.name = "sched:sched_switch";
  event.attr.type = reader::event_type::tracepoint;
  for (const std::string root : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
    std::ifstream file(root + "/events/sched/sched_switch/id");
    if (file >> event.attr.config) return event;
  }
  return std::nullopt;
}

FileDescriptor open_tracepoint(std::uint64_t tracepoint) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_TRACEPOINT;
  attr.config = tracepoint;
  attr.disabled = 1;
  return FileDescriptor(static_cast<int>(syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC)));
}

// The error number of the kernel; 0: the filter is set. An event takes a filter once.
int error_of(std::uint64_t tracepoint, const std::string& filter) {
  const FileDescriptor event = open_tracepoint(tracepoint);
  return ioctl(event.get(), PERF_EVENT_IOC_SET_FILTER, filter.c_str()) == 0 ? 0 : errno;
}

TEST(KernelOfThisMachine, TakesTheFilters) {
  const auto event = real_sched_switch();
  if (!event) GTEST_SKIP() << "no right to read tracefs";
  if (!open_tracepoint(event->attr.config)) GTEST_SKIP() << "no right to open a tracepoint: " << std::strerror(errno);
  KeepRequest request;
  request.events = {*event};
  request.target.system_wide = true;
  request.online_cpus = {0, 1};
  const auto formats = tracepoint_formats(request.events, {});
  for (const char* const expression :
       {"prev_pid == 7",
        "prev_pid != -1",
        "prev_pid in {1, 3..5, 9}",
        "prev_pid not in {1, 3..5}",
        "prev_prio > -5",
        "prev_comm == \"rx-0\"",
        "prev_comm != \"rx-0\"",
        "prev_comm == \"rx*\"",
        "prev_comm == \"!rx\"",
        "prev_comm not in {\"a\", \"b*\"}",
        "prev_comm == \"a'b c(d)&&|\"",
        "prev_state == \"D\"",
        "prev_state == \"R+\"",
        "prev_state in {\"D\", \"S\"}",
        "prev_state !~ \"[DZ]\"",
        "prev_state & 3",
        "prev_state & 3 == 0",
        "comm == \"rx-0\"",
        "comm != \"swapper\"",
        "comm == \"s*\"",
        "comm == \"swapper/1\"",
        "cpu == 3 || prev_pid == 7",
        "cpu not in 0..5 || prev_pid == 7",
        "common_pid == 7",
        "!(prev_pid == 7 && next_pid == 8)",
        "(prev_pid == 7 || next_pid == 8) && (prev_comm == \"a\" || !(comm == \"b\" && next_prio < 5))"}) {
    request.expressions = {{.origin = "--keep", .text = expression}};
    const KeepPlan plan = plan_keep(request, formats);
    ASSERT_EQ(plan.events.size(), 1U) << expression;
    const std::string& filter = plan.events[0].request.filter;
    EXPECT_EQ(plan.events[0].residual, "") << expression;
    EXPECT_EQ(error_of(event->attr.config, filter), 0) << filter;
  }
}

// The limit that keep_plan.cpp respects.
TEST(KernelOfThisMachine, TakesAFilterOfAPageAtMost) {
  const auto event = real_sched_switch();
  if (!event) GTEST_SKIP() << "no right to read tracefs";
  if (!open_tracepoint(event->attr.config)) GTEST_SKIP() << "no right to open a tracepoint: " << std::strerror(errno);
  std::string filter = "prev_pid == 1";
  while (filter.size() + 17 <= longest_kernel_filter) filter += " || prev_pid == 1";
  EXPECT_EQ(error_of(event->attr.config, filter), 0);
  filter.resize(longest_kernel_filter + 1, ' ');
  EXPECT_NE(error_of(event->attr.config, filter), 0);
}

}  // namespace
}  // namespace perfsift::record
