// CPUs that go offline: the kernel then refuses events for them with ENODEV. A filter of system calls gives that answer
// for a CPU that is online, in a child process, which keeps the filter.

#include <array>
#include <cerrno>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "record/machine/online_cpus.h"
#include "record/session.h"
#include "record/target.h"
#include "tests/record/live.h"
#include "tests/record/made_roots.h"

namespace perfsift::record {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// perf_event_open(attr, pid, cpu, …): from now on ENODEV for CPUs from `first` on. All CPUs: first 0.
bool take_cpus_away(unsigned first) {
  constexpr auto number = static_cast<std::uint32_t>(offsetof(seccomp_data, nr));
  constexpr auto cpu = static_cast<std::uint32_t>(offsetof(seccomp_data, args[2]));
  std::array program{
      sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 4),
      sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, cpu),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x80000000u, 2, 0),  // -1: any CPU
      sock_filter BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, first, 0, 1),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENODEV),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{.len = static_cast<unsigned short>(program.size()), .filter = program.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

// What `work` prints, in a child process whose CPUs from `first` on are offline.
std::string told_without_cpus(unsigned first, const std::function<std::string()>& work) {
  int ends[2] = {-1, -1};
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    std::string text = "no filter of system calls";
    try {
      if (take_cpus_away(first)) text = work();
    } catch (const std::exception& error) {
      text = error.what();
    }
    const bool whole = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(whole ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  for (char letter = 0; read(ends[0], &letter, 1) == 1;) text += letter;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return text;
}

SessionPlan plan_of_all_cpus() {
  SessionPlan plan = test::plan_of({test::clock_event(), test::page_faults()});
  plan.events[1].leader = 0;
  plan.target.system_wide = true;
  return plan;
}

std::string record_shortly() {
  Session session(plan_of_all_cpus());
  test::CountingSink sink;
  session.start();
  test::fault(10);
  session.wait();
  session.stop();
  session.drain(sink);
  std::string text;
  for (const CounterInfo& counter : session.counters()) text += fmt::format("{} ", counter.place.cpu);
  for (const std::string& sentence : session.left_out()) text += sentence;
  return text;
}

TEST(OfflineCpu, ThatIsListedAsOnlineIsLeftOut) {
  SKIP_WITHOUT_EVENTS({.tid = -1, .cpu = 0});
  if (online_cpus({}).size() < 2) GTEST_SKIP() << "one CPU";
  std::string left_out;
  for (const unsigned cpu : online_cpus({})) {
    if (cpu != 0) left_out += fmt::format("CPU {}: it went offline", cpu);
  }
  // Two events and the dummy event.
  EXPECT_EQ(told_without_cpus(1, record_shortly), "0 0 0 " + left_out);
}

TEST(OfflineCpu, WithoutAnotherCpuNothingIsRecorded) {
  SKIP_WITHOUT_EVENTS({.tid = -1, .cpu = 0});
  EXPECT_EQ(told_without_cpus(0, record_shortly), "cpu-clock: the recorded CPUs are offline");
}

TEST(OfflineCpu, IsSeenByTheListOfThoseThatAreOnline) {
  const MadeRoots made;
  made.sys("devices/system/cpu/online", "0,2\n");
  EXPECT_THAT(offline_cpus({{.tid = -1, .cpu = 0}, {.tid = -1, .cpu = 1}, {.tid = 7, .cpu = 1}}, made.roots()),
              ElementsAre(1u));
  EXPECT_THAT(offline_cpus({{.tid = 7, .cpu = -1}}, made.roots()), IsEmpty());
}

}  // namespace
}  // namespace perfsift::record
