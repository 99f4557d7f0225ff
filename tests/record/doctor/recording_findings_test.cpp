// What doctor says about machines that this one is not. The error numbers are those of perf_event_open(2).

#include "record/doctor/recording_findings.h"

#include <cerrno>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "reader/format/abi.h"
#include "tests/record/made_roots.h"
#include "tests/support/forbidden_files.h"

namespace perfsift::record::diagnosing {  // a unity build compiles other tests in the same file
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A machine with hardware counters on which this user may do everything.
struct MadeMachine {
  MadeMachine() {
    machine.roots = files.roots();
    machine.sources = {.sysfs = files.roots().sysfs, .tracefs = files.path("tracefs")};
    machine.settings = {.paranoid = -1,
                        .mlock_kb = 516,
                        .max_sample_rate = 100'000,
                        .max_stack = 127,
                        .open_files = 1024,
                        .most_open_files = 1'048'576,
                        .may_observe = true,
                        .has_core_pmu = true,
                        .release = "6.1.0"};
    machine.open = [](const reader::EventAttr&, const CounterPlace&) { return 0; };
    files.proc("sys/kernel/perf_cpu_time_max_percent", "25\n");
    files.proc("cpuinfo", "processor : 0\n");
    files.sys("bus/event_source/devices/software/type", "1\n");
  }

  Finding finding(std::string_view subject) const {
    for (Finding& each : recording_findings(machine))
      if (each.subject == subject) return each;
    ADD_FAILURE() << "no line about " << subject;
    return {};
  }

  MadeRoots files;
  Machine machine;
};

bool is_of_hardware(const reader::EventAttr& attr) { return attr.type == reader::event_type::hardware; }

TEST(RecordingFindings, AreAboutEachSubjectOnce) {
  const MadeMachine made;
  std::vector<std::string> subjects;
  for (const Finding& finding : recording_findings(made.machine)) {
    subjects.emplace_back(finding.subject);
    EXPECT_THAT(finding.fact, testing::Not(IsEmpty())) << finding.subject;
    EXPECT_TRUE(finding.health != Health::ok || finding.meaning.empty()) << finding.subject;
  }
  EXPECT_THAT(subjects, testing::ElementsAre("rights", "own programs", "kernel code", "all CPUs", "hardware counters",
                                             "precise addresses", "branch stacks", "memory accesses", "tracepoints",
                                             "waits", "locks", "ring memory", "open files", "sample rate",
                                             "stack depth", "kernel", "surroundings"));
}

// What kernels answer users at a level: perf_allow_kernel(), perf_allow_cpu() and perf_allow_tracepoint(). Only patched
// kernels know 3: all events are refused.
OpenTrial kernel_at(int paranoid, bool is_patched) {
  return [=](const reader::EventAttr& attr, const CounterPlace& place) {
    const bool forbidden = (is_patched && paranoid >= 3) || (paranoid >= 2 && !attr.exclude_kernel()) ||
                           (paranoid >= 1 && place.tid == -1) ||
                           (paranoid >= 0 && attr.type == reader::event_type::tracepoint);
    return forbidden ? EACCES : 0;
  };
}

TEST(RecordingFindings, ParanoidLevelsForbidMoreAndMore) {
  MadeMachine made;
  const auto rights_at = [&](int paranoid, bool is_patched = false) {
    made.machine.settings.paranoid = paranoid;
    made.machine.open = kernel_at(paranoid, is_patched);
    return made.finding("rights");
  };
  EXPECT_EQ(rights_at(4).health, Health::ok);  // CAP_PERFMON
  made.machine.settings.may_observe = false;
  EXPECT_EQ(rights_at(4, true).health, Health::no);
  EXPECT_EQ(rights_at(4, true).meaning, "users may not record anything");
  EXPECT_EQ(rights_at(2).health, Health::limited);
  EXPECT_EQ(rights_at(2).fact, "kernel.perf_event_paranoid is 2");
  EXPECT_EQ(rights_at(2).meaning, "own programs without the kernel (-p, a command), not all CPUs (-a), no tracepoints");
  EXPECT_THAT(rights_at(2).remedy, HasSubstr("sysctl kernel.perf_event_paranoid=-1"));
  EXPECT_EQ(rights_at(1).meaning, "own programs with the kernel (-p, a command), not all CPUs (-a), no tracepoints");
  EXPECT_EQ(rights_at(0).meaning, "no tracepoints for users");
  EXPECT_EQ(rights_at(-1).health, Health::ok);
}

TEST(RecordingFindings, KernelsWithoutAPatchTreatParanoid3As2) {
  MadeMachine made;
  made.machine.settings.may_observe = false;
  made.machine.settings.paranoid = 3;
  made.machine.open = kernel_at(3, false);
  const Finding rights = made.finding("rights");
  EXPECT_EQ(rights.health, Health::limited);
  EXPECT_EQ(rights.fact, "kernel.perf_event_paranoid is 3, which this kernel treats as 2");
  EXPECT_THAT(rights.meaning, HasSubstr("own programs without the kernel"));
  EXPECT_EQ(made.finding("own programs").health, Health::ok);
}

TEST(RecordingFindings, WhatALevelAllowsMayBeForbiddenBySomethingElse) {
  MadeMachine made;
  made.machine.settings.may_observe = false;
  made.machine.settings.paranoid = 2;
  made.machine.open = [](const reader::EventAttr&, const CounterPlace&) { return EPERM; };
  EXPECT_EQ(made.finding("rights").health, Health::no);
  EXPECT_EQ(made.finding("rights").meaning, "it allows own programs, which something else forbids: see the next line");
  EXPECT_THAT(made.finding("rights").remedy, IsEmpty());
}

TEST(RecordingFindings, TheKernelDecidesNotTheSettings) {
  MadeMachine made;
  made.machine.open = [](const reader::EventAttr& attr, const CounterPlace&) {
    return attr.exclude_kernel() ? 0 : EACCES;
  };
  made.machine.settings.may_observe = false;
  made.machine.settings.paranoid = 2;
  EXPECT_EQ(made.finding("own programs").health, Health::ok);
  EXPECT_EQ(made.finding("kernel code").health, Health::no);
  EXPECT_THAT(made.finding("kernel code").fact, HasSubstr("users may not record the kernel"));
  EXPECT_EQ(made.finding("all CPUs").health, Health::no);
  EXPECT_TRUE(can_record(made.machine));
}

TEST(RecordingFindings, ContainersForbidEverything) {
  MadeMachine made;
  made.machine.open = [](const reader::EventAttr&, const CounterPlace&) { return EPERM; };
  made.machine.settings.in_container = made.machine.settings.has_seccomp = true;
  EXPECT_FALSE(can_record(made.machine));
  EXPECT_EQ(made.finding("own programs").health, Health::no);
  EXPECT_THAT(made.finding("own programs").fact, HasSubstr("--cap-add PERFMON"));
  EXPECT_EQ(made.finding("surroundings").health, Health::no);
  made.machine.open = [](const reader::EventAttr&, const CounterPlace&) { return 0; };
  EXPECT_EQ(made.finding("surroundings").health, Health::ok);  // the filter allows it
}

TEST(RecordingFindings, VirtualMachinesHaveNoCounters) {
  MadeMachine made;
  made.machine.open = [](const reader::EventAttr& attr, const CounterPlace&) {
    return is_of_hardware(attr) ? ENOENT : 0;
  };
  made.machine.settings.in_virtual_machine = true;
  made.machine.settings.has_core_pmu = false;
  const Finding counters = made.finding("hardware counters");
  EXPECT_EQ(counters.health, Health::limited);
  EXPECT_THAT(counters.fact, HasSubstr("This virtual machine has no hardware counters"));
  EXPECT_THAT(counters.meaning, HasSubstr("cpu-clock"));
  EXPECT_THAT(counters.remedy, HasSubstr("virtual PMU"));
  EXPECT_EQ(made.finding("precise addresses").health, Health::limited);
  EXPECT_EQ(made.finding("branch stacks").health, Health::no);
  EXPECT_EQ(made.finding("memory accesses").health, Health::no);
}

TEST(RecordingFindings, TheHighestPrecisionIsNamed) {
  MadeMachine made;
  made.machine.open = [](const reader::EventAttr& attr, const CounterPlace&) {
    return attr.precise_ip() > 2 ? EOPNOTSUPP : 0;
  };
  EXPECT_EQ(made.finding("precise addresses").fact, "precise_ip 2 can be sampled");
}

TEST(RecordingFindings, MemoryAccessesNeedAPmuThatHasThem) {
  MadeMachine made;
  made.files.sys("bus/event_source/devices/ibs_op/type", "11\n");
  EXPECT_EQ(made.finding("memory accesses").health, Health::ok);
  EXPECT_THAT(made.finding("memory accesses").fact, HasSubstr("AMD's instruction-based sampling"));
}

TEST(RecordingFindings, TracepointsNeedTracefsAndRights) {
  MadeMachine made;
  EXPECT_EQ(made.finding("tracepoints").health, Health::no);
  EXPECT_THAT(made.finding("tracepoints").fact, HasSubstr("cannot be read"));
  EXPECT_THAT(made.finding("tracepoints").remedy, HasSubstr("mount -t tracefs"));
  EXPECT_EQ(made.finding("waits").health, Health::limited);  // context-switches do

  for (const char* const event : {"sched/sched_switch", "sched/sched_wakeup", "sched/sched_wakeup_new"})
    made.files.write("tracefs/events/" + std::string(event) + "/id", "7\n");
  EXPECT_EQ(made.finding("tracepoints").health, Health::ok);
  EXPECT_EQ(made.finding("waits").health, Health::ok);

  made.machine.open = [](const reader::EventAttr& attr, const CounterPlace&) {
    return attr.type == reader::event_type::tracepoint ? EACCES : 0;
  };
  made.machine.settings.may_observe = false;
  made.machine.settings.paranoid = 2;
  EXPECT_EQ(made.finding("tracepoints").health, Health::no);
  EXPECT_THAT(made.finding("tracepoints").fact, HasSubstr("users may not record tracepoints"));
}

// Since Linux 6.6 the folders of events are 0755 and their files 0440, whatever the mode of the mount.
TEST(RecordingFindings, TracepointsWhoseFilesMayNotBeReadAreThere) {
  MadeMachine made;
  made.files.write("tracefs/events/sched/sched_switch/id", "7\n");
  test::forbid(made.files.path("tracefs/events/sched/sched_switch/id"));
  const test::AsUserOfFiles user;
  const Finding finding = made.finding("tracepoints");
  EXPECT_EQ(finding.health, Health::no);
  EXPECT_EQ(finding.fact, "sched:sched_switch cannot be read: " +
                              made.files.path("tracefs/events/sched/sched_switch/id") + ": Permission denied");
  const std::string mount =
      fmt::format("sudo mount -o remount,mode=750,gid={} {}", getegid(), made.files.path("tracefs"));
  EXPECT_EQ(finding.remedy, mount + ", or run as root");
  made.machine.settings.may_observe = false;
  made.machine.settings.paranoid = 2;
  EXPECT_EQ(made.finding("tracepoints").remedy,
            mount + " && sudo sysctl kernel.perf_event_paranoid=-1, or run as root");
}

// perf_trace_event_perm(): a tracepoint without its data opens below level 2, and is recorded with its data.
TEST(RecordingFindings, TracepointsAreTriedWithTheirData) {
  MadeMachine made;
  for (const char* const event : {"sched/sched_switch", "sched/sched_wakeup", "sched/sched_wakeup_new"})
    made.files.write("tracefs/events/" + std::string(event) + "/id", "7\n");
  made.machine.settings.may_observe = false;
  made.machine.settings.paranoid = 1;
  made.machine.open = [](const reader::EventAttr& attr, const CounterPlace&) {
    return attr.has(reader::sample_bit::raw) ? EPERM : 0;
  };
  EXPECT_EQ(made.finding("tracepoints").health, Health::no);
  EXPECT_THAT(made.finding("tracepoints").fact, HasSubstr("users may not record tracepoints"));
  EXPECT_EQ(made.finding("waits").health, Health::limited);
}

TEST(RecordingFindings, LimitsThatAreTooLowAreNamedWithTheirSettings) {
  MadeMachine made;
  made.machine.settings.max_sample_rate = 1000;
  EXPECT_EQ(made.finding("sample rate").health, Health::limited);
  EXPECT_THAT(made.finding("sample rate").remedy, HasSubstr("kernel.perf_event_max_sample_rate="));
  made.machine.settings.max_stack = 20;
  EXPECT_EQ(made.finding("stack depth").health, Health::limited);
  made.machine.cpus = 256;
  EXPECT_EQ(made.finding("open files").health, Health::ok);  // record raises the limit
  made.machine.settings.most_open_files = 1024;
  EXPECT_EQ(made.finding("open files").health, Health::limited);
  EXPECT_THAT(made.finding("open files").remedy, HasSubstr("ulimit -n 1088"));
}

TEST(RecordingFindings, SaysWhetherTheKernelLowersTheRate) {
  const MadeMachine made;
  EXPECT_THAT(made.finding("sample rate").fact, HasSubstr("lowered if samples take more than 25 % of a CPU"));
  made.files.proc("sys/kernel/perf_cpu_time_max_percent", "0\n");
  EXPECT_THAT(made.finding("sample rate").fact, HasSubstr("which the kernel does not lower"));
}

TEST(RecordingFindings, SettingsThatCannotBeReadAreSaid) {
  MadeMachine made;
  made.machine.settings = {};
  for (const char* const subject : {"rights", "ring memory", "sample rate", "stack depth"}) {
    EXPECT_THAT(made.finding(subject).fact, testing::AnyOf(HasSubstr("cannot be read"), HasSubstr("not readable")));
    EXPECT_EQ(made.finding(subject).health, Health::limited) << subject;
    EXPECT_THAT(made.finding(subject).meaning, HasSubstr("not known")) << subject;
  }
}

// Without /proc and /sys nothing is said about the machine that is not known.
TEST(RecordingFindings, ABareRootIsNotJudged) {
  MadeMachine made;
  made.machine.roots = {.proc = "/nowhere/proc", .sysfs = "/nowhere/sys"};
  made.machine.sources.sysfs = "/nowhere/sys";
  made.machine.open = [](const reader::EventAttr& attr, const CounterPlace&) {
    return is_of_hardware(attr) ? ENOENT : 0;
  };
  EXPECT_THAT(made.finding("surroundings").fact, HasSubstr("not known whether a virtual machine"));
  EXPECT_THAT(made.finding("hardware counters").fact, HasSubstr("why is not known"));
  EXPECT_THAT(made.finding("sample rate").fact, testing::Not(HasSubstr("lower")));
  EXPECT_THAT(made.finding("memory accesses").fact, HasSubstr("is not known without /nowhere/sys/bus/event_source"));
  made.machine.sources.tracefs.clear();
  EXPECT_THAT(made.finding("tracepoints").remedy, testing::StartsWith("mount /sys first: "));
}

TEST(RecordingFindings, CpusThatAreNotKnownAreNotRecorded) {
  MadeMachine made;
  made.machine.cpus = 0;
  EXPECT_EQ(made.finding("own programs").health, Health::no);
  EXPECT_EQ(made.finding("own programs").remedy, "mount /proc");
  EXPECT_EQ(made.finding("open files").health, Health::limited);
}

}  // namespace
}  // namespace perfsift::record::diagnosing
