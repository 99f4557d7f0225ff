// The reasons why the kernel refuses events. Errors and their conditions: perf_event_open(2), kernel/events/core.c.
#include "record/events/why_not_opened.h"

#include <cerrno>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reader/format/abi.h"
#include "tests/record/events/machine_tree.h"

namespace perfsift::record {

namespace {

using testing::HasSubstr;

EventRequest cycles_event() {
  EventRequest event;
  event.name = "cycles";
  return event;
}

EventRequest event_with(const char* name, std::uint32_t type) {
  EventRequest event;
  event.name = name;
  event.attr.type = type;
  return event;
}

SystemSettings bare_machine() {
  SystemSettings settings;
  settings.paranoid = 2;
  settings.mlock_kb = 516;
  settings.max_sample_rate = 50000;
  settings.max_stack = 127;
  settings.open_files = 1024;
  settings.most_open_files = 1048576;
  settings.has_core_pmu = true;
  settings.release = "6.1.0";
  return settings;
}

constexpr CounterPlace of_thread{.tid = 12, .cpu = -1};
constexpr CounterPlace on_cpu{.tid = -1, .cpu = 3};

std::string why(const EventRequest& event, int error, const SystemSettings& settings = bare_machine(),
                const CounterPlace& place = of_thread) {
  return why_not_opened(event, place, error, settings);
}

}  // namespace

TEST(WhyNotOpened, ForbiddenByTheParanoidLevel) {
  EXPECT_EQ(
      why(cycles_event(), EACCES),
      "cannot open event 'cycles' of thread 12: Permission denied. kernel.perf_event_paranoid is 2, so that users "
      "may not record the kernel: use 'cycles:u', run as root, or give the program CAP_PERFMON, or: sysctl "
      "kernel.perf_event_paranoid=1.");
  EXPECT_THAT(why(cycles_event(), EACCES, bare_machine(), on_cpu),
              HasSubstr("users may not record all threads of a CPU: record processes or threads"));
  EXPECT_THAT(why(event_with("sched:sched_switch", reader::event_type::tracepoint), EPERM),
              HasSubstr("users may not record tracepoints, run as root, or give the program CAP_PERFMON, or: sysctl "
                        "kernel.perf_event_paranoid=-1"));
}

// perf_trace_event_perm(): leaving out the kernel does not help.
TEST(WhyNotOpened, DataOfTracepointsIsForbiddenFromLevel0On) {
  EventRequest event = event_with("sched:sched_switch", reader::event_type::tracepoint);
  event.attr.set(reader::attr_flag::exclude_kernel);
  event.attr.sample_type |= reader::sample_bit::raw;
  SystemSettings settings = bare_machine();
  settings.paranoid = 0;
  EXPECT_THAT(why(event, EPERM, settings), HasSubstr("users may not record tracepoints"));
}

// Kernels without the patch treat 3 as 2, so that something else forbids the event.
TEST(WhyNotOpened, Level3ForbidsEverythingOnPatchedKernelsOnly) {
  EventRequest user = cycles_event();
  user.attr.set(reader::attr_flag::exclude_kernel);
  SystemSettings settings = bare_machine();
  settings.paranoid = 3;
  EXPECT_THAT(why(user, EACCES, settings), HasSubstr("The thread belongs to another user"));
  EXPECT_THAT(why(cycles_event(), EACCES, settings), HasSubstr("users may not record the kernel"));
  settings.forbids_everything = true;
  EXPECT_THAT(why(user, EACCES, settings), HasSubstr("users may not record anything"));
  EXPECT_THAT(why(cycles_event(), EACCES, settings),
              AllOf(HasSubstr("users may not record anything"), HasSubstr("sysctl kernel.perf_event_paranoid=1")));
}

TEST(WhyNotOpened, ForbiddenAlthoughTheLevelAllowsIt) {
  EventRequest user = cycles_event();
  user.attr.set(reader::attr_flag::exclude_kernel);
  EXPECT_THAT(why(user, EACCES), HasSubstr("The thread belongs to another user"));
  SystemSettings settings = bare_machine();
  settings.may_observe = true;
  EXPECT_THAT(why(user, EPERM, settings), HasSubstr("A security module or lockdown of the kernel forbids it"));
  settings.has_seccomp = true;
  EXPECT_THAT(why(user, EPERM, settings), HasSubstr("A filter of system calls (seccomp) is active"));
  settings.in_container = true;
  EXPECT_THAT(why(user, EPERM, settings), HasSubstr("start it with --cap-add PERFMON"));
}

TEST(WhyNotOpened, WithoutAPmu) {
  SystemSettings settings = bare_machine();
  EXPECT_THAT(why(cycles_event(), ENOENT, settings), HasSubstr("PMU of this processor does not have this event"));
  settings.has_core_pmu = false;
  EXPECT_THAT(why(cycles_event(), ENOENT, settings), HasSubstr("The kernel does not know the PMU of this processor"));
  settings.in_virtual_machine = true;
  EXPECT_THAT(why(cycles_event(), ENOENT, settings), HasSubstr("This virtual machine has no hardware counters"));
  EXPECT_THAT(why(cycles_event(), EOPNOTSUPP, settings), HasSubstr("This virtual machine has no hardware counters"));
  EXPECT_THAT(why(cycles_event(), ENODEV, settings), HasSubstr("use cpu-clock"));
  EXPECT_THAT(why(cycles_event(), ENODEV, settings, on_cpu), HasSubstr("The CPU is offline"));
  EXPECT_THAT(why(event_with("ibs_op//", 10), ENOENT, settings), HasSubstr("The kernel does not have this event"));
}

TEST(WhyNotOpened, NotSupported) {
  EventRequest precise = cycles_event();
  precise.attr.set_precise_ip(2);
  EXPECT_THAT(why(precise, EOPNOTSUPP), HasSubstr("leave out the modifiers p and P"));
  EventRequest branches = cycles_event();
  branches.attr.sample_type = reader::sample_bit::branch_stack;
  EXPECT_THAT(why(branches, EOPNOTSUPP), HasSubstr("The PMU records no branches"));
  EXPECT_THAT(why(event_with("mem:0x10:r", reader::event_type::breakpoint), EOPNOTSUPP),
              HasSubstr("The processor has no such breakpoint"));
  EXPECT_THAT(why(cycles_event(), EOPNOTSUPP), HasSubstr("The PMU counts but cannot sample"));
}

TEST(WhyNotOpened, AnInvalidPartOfTheAttribute) {
  EventRequest precise = cycles_event();
  precise.attr.set_precise_ip(3);
  EXPECT_THAT(why(precise, EINVAL), HasSubstr("The PMU probably has no precision 3"));
  EventRequest fast = cycles_event();
  fast.attr.set(reader::attr_flag::freq);
  fast.attr.sample_period = 60000;
  EXPECT_THAT(why(fast, EINVAL),
              HasSubstr("The frequency 60000 is above kernel.perf_event_max_sample_rate, which is 50000"));
  EventRequest guests = cycles_event();
  guests.attr.set(reader::attr_flag::exclude_guest);
  EXPECT_THAT(why(guests, EINVAL), HasSubstr("add the modifiers HG"));
  EventRequest user = cycles_event();
  user.attr.set(reader::attr_flag::exclude_kernel);
  EXPECT_THAT(why(user, EINVAL), HasSubstr("leave out the modifiers u, k, h and I"));
  EXPECT_THAT(why(cycles_event(), EINVAL, bare_machine(), {.tid = 1, .cpu = -1, .cgroup_fd = -1, .group_fd = 5}),
              HasSubstr("cannot be in a group with its leader"));
  EventRequest inherited = cycles_event();
  inherited.attr.set(reader::attr_flag::inherit);
  inherited.attr.read_format = reader::read_format::group;
  EXPECT_THAT(why(inherited, EINVAL), HasSubstr("Kernels before 6.12"));
  EventRequest uncore = event_with("uncore_imc_0/clockticks/", 23);
  uncore.pmu = "uncore_imc_0";
  uncore.cpus = {0};
  EXPECT_THAT(why(uncore, EINVAL), HasSubstr("PMU uncore_imc_0 counts on its CPUs only"));
  EventRequest raw = event_with("r1a8", reader::event_type::raw);
  raw.attr.config = 0x1a8;
  EXPECT_THAT(why(raw, EINVAL), HasSubstr("does not accept config 0x1a8"));
}

TEST(WhyNotOpened, BreakpointsThatNoProcessorHas) {
  EventRequest odd = event_with("mem:0x1001/4:w", reader::event_type::breakpoint);
  odd.attr.config1 = 0x1001;
  odd.attr.config2 = 4;
  EXPECT_THAT(why(odd, EINVAL), HasSubstr("must be a multiple of 4"));
  odd.attr.config2 = 3;
  EXPECT_THAT(why(odd, EINVAL), HasSubstr("is 1, 2, 4 or 8"));
  odd.attr.config2 = 1;
  EXPECT_THAT(why(odd, EINVAL), HasSubstr("x86 has none for reads alone"));
  EXPECT_THAT(why(odd, ENOSPC), HasSubstr("All breakpoints of the processor are in use"));
}

TEST(WhyNotOpened, TooManyOpenFiles) {
  SystemSettings settings = bare_machine();
  EXPECT_EQ(
      why_not_opened(cycles_event(), of_thread, EMFILE, settings, 5000),
      "cannot open event 'cycles' of thread 12: Too many open files. A process may have 1024 open files, and 5000 "
      "are needed: ulimit -n 1048576.");
  settings.most_open_files = 4096;
  EXPECT_THAT(why_not_opened(cycles_event(), of_thread, EMFILE, settings, 5000), HasSubstr("raise the hard limit"));
  EXPECT_THAT(why(cycles_event(), ENFILE), HasSubstr("sysctl fs.file-max"));
}

TEST(WhyNotOpened, OtherErrors) {
  EventRequest pinned = cycles_event();
  pinned.attr.set(reader::attr_flag::pinned);
  EXPECT_THAT(why(pinned, EBUSY), HasSubstr("the event asks for it alone"));
  EXPECT_THAT(why(cycles_event(), EBUSY), HasSubstr("kernel.nmi_watchdog=0"));
  EXPECT_THAT(why(cycles_event(), E2BIG), HasSubstr("The kernel 6.1.0 is too old for a part of the attribute"));
  EXPECT_THAT(why(cycles_event(), ESRCH), HasSubstr("The thread has ended"));
  EXPECT_THAT(why(cycles_event(), EOVERFLOW), HasSubstr("kernel.perf_event_max_stack, which is 127"));
  EXPECT_THAT(why(cycles_event(), ENOMEM), HasSubstr("The kernel has no memory for the event"));
  EXPECT_THAT(why(cycles_event(), EBADF), HasSubstr("is closed"));
  EXPECT_THAT(why(cycles_event(), ENOSYS), HasSubstr("CONFIG_PERF_EVENTS"));
  EXPECT_THAT(why(cycles_event(), EIO), HasSubstr("Input/output error. The kernel gives no further reason."));
}

TEST(WhyNotOpened, NamesArePrintable) {
  EXPECT_THAT(why(event_with("\x1b[1m", 1), ENOENT), HasSubstr("event '\\x1b[1m'"));
}

TEST(WhyNotMapped, SaysWhichLimitIsReached) {
  EXPECT_THAT(
      why_not_mapped(cycles_event(), on_cpu, EPERM, std::size_t{4} << 20, bare_machine()),
      HasSubstr("on CPU 3: Operation not permitted. A ring has 4096 KiB, and kernel.perf_event_mlock_kb allows a "
                "user 516 KiB for each CPU: use smaller rings (-m)"));
  EXPECT_THAT(why_not_mapped(cycles_event(), on_cpu, ENOMEM, 1 << 20, bare_machine()), HasSubstr("no memory"));
  EventRequest inherited = cycles_event();
  inherited.attr.set(reader::attr_flag::inherit);
  EXPECT_THAT(why_not_mapped(inherited, of_thread, EINVAL, 1 << 20, bare_machine()), HasSubstr("opened on each CPU"));
  EXPECT_THAT(why_not_mapped(cycles_event(), on_cpu, EINVAL, 1 << 20, bare_machine()), HasSubstr("power of two"));
  EXPECT_THAT(why_not_mapped(cycles_event(), on_cpu, EIO, 1 << 20, bare_machine()), HasSubstr("no further reason"));
}

TEST(SystemSettings, AreReadFromProcfs) {
  const test::TemporaryDirectory procfs;
  procfs.write("sys/kernel/perf_event_paranoid", "-1\n");
  procfs.write("sys/kernel/perf_event_mlock_kb", "516\n");
  procfs.write("sys/kernel/perf_event_max_sample_rate", "25000\n");
  procfs.write("sys/kernel/perf_event_max_stack", "127\n");
  procfs.write("sys/kernel/osrelease", "6.1.0-40-amd64\n");
  procfs.write("self/status", "Name:\tx\nCapPrm:\t0000000000000000\nCapEff:\t0000004000000000\nSeccomp:\t2\n");
  procfs.write("cpuinfo", "processor : 0\nflags : fpu hypervisor lahf_lm\n");
  const test::MachineTree skylake("intel_skylake_sp");
  const SystemSettings settings = SystemSettings::read(procfs.path().string(), skylake.sysfs());
  EXPECT_EQ(settings.paranoid, -1);
  EXPECT_EQ(settings.mlock_kb, 516U);
  EXPECT_EQ(settings.max_sample_rate, 25000U);
  EXPECT_EQ(settings.max_stack, 127U);
  EXPECT_EQ(settings.release, "6.1.0-40-amd64");
  EXPECT_TRUE(settings.may_observe);  // bit 38
  EXPECT_TRUE(settings.has_seccomp);
  EXPECT_TRUE(settings.in_virtual_machine);
  EXPECT_TRUE(settings.has_core_pmu);
}

TEST(SystemSettings, AreAbsentWhereNothingCanBeRead) {
  const test::TemporaryDirectory empty;
  const SystemSettings settings = SystemSettings::read(empty.path().string(), empty.path().string());
  EXPECT_FALSE(settings.paranoid);
  EXPECT_FALSE(settings.mlock_kb);
  EXPECT_FALSE(settings.may_observe);
  EXPECT_FALSE(settings.has_core_pmu);
  EXPECT_EQ(settings.release, "");
}

}  // namespace perfsift::record
