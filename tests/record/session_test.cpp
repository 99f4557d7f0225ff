#include "record/session.h"

#include <chrono>
#include <ctime>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "reader/format/event.h"
#include "record/cgroups.h"
#include "record/machine/mounts.h"
#include "record/machine/online_cpus.h"
#include "tests/record/live.h"

namespace perfsift::record {
namespace {

using reader::RecordType;
using test::Child;
using test::clock_event;
using test::CountingSink;
using test::fault;
using test::page_faults;
using test::plan_of;
using test::plan_of_own_thread;
using test::plan_of_process;
using test::run_to_the_end;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::SizeIs;

reader::EventAttr attr_of(const Session& session, std::size_t event) {
  return *reader::decode_event_attr(session.events().at(event).attr, ByteOrder::native);
}

std::string refusal(const SessionPlan& plan) {
  try {
    Session session(plan);
    session.start();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Session, CountersHaveTheIdsThatSamplesHave) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  Session session(plan_of_own_thread(page_faults()));
  CountingSink sink;
  sink.keep_samples = true;
  session.start();
  fault(10);
  session.stop();
  session.drain(sink);
  ASSERT_THAT(session.events()[0].ids, SizeIs(1));
  // PERF_SAMPLE_IDENTIFIER is the first field.
  for (const auto& sample : sink.samples) EXPECT_EQ(ByteReader(sample).u64(), session.events()[0].ids[0]);
  EXPECT_THAT(sink.samples, SizeIs(Ge(10u)));
  EXPECT_EQ(session.counters()[0].id, session.events()[0].ids[0]);
}

TEST(Session, CommandIsRecordedWithAllThatItStarts) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  SessionPlan plan = plan_of({page_faults()});
  plan.target.command = {"sh", "-c", "for i in 1 2 3; do cat /dev/null; done; exit 3"};
  Session session(plan);
  CountingSink sink;
  run_to_the_end(session, sink);
  EXPECT_EQ(WEXITSTATUS(session.command_status().value()), 3);
  EXPECT_FALSE(session.running());
  EXPECT_GE(sink.count(RecordType::mmap2), 12u);  // each of four programs maps itself, ld.so and libraries
  EXPECT_EQ(sink.count(RecordType::fork), 3u);
  EXPECT_EQ(sink.count(RecordType::exit), 4u);
  std::size_t executed = 0;
  for (const auto& comm : sink.others[RecordType::comm]) {
    executed += c_string(Bytes(comm).subspan(8)) == "cat" ? 1 : 0;
  }
  EXPECT_EQ(executed, 3u);
}

TEST(Session, EventsOfOnePlaceShareItsRing) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  SessionPlan plan = plan_of_own_thread(page_faults());
  plan.events.push_back(page_faults());
  plan.events[1].leader = 1;
  Session session(plan);
  CountingSink sink;
  session.start();
  fault(50);
  session.stop();
  session.drain(sink);
  EXPECT_EQ(session.rings(), 1u);
  EXPECT_THAT(session.counters(), SizeIs(3));  // with the dummy event
  EXPECT_GE(sink.count(RecordType::sample), 100u);
}

TEST(Session, SampleOfALeaderHasTheCountsOfItsGroup) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  SessionPlan plan = plan_of_own_thread(page_faults());
  plan.events.push_back(page_faults());
  plan.events[1].leader = 0;
  plan.events[0].sampled_by_leader = plan.events[1].sampled_by_leader = true;
  Session session(plan);
  CountingSink sink;
  session.start();
  fault(50);
  session.stop();
  session.drain(sink);
  const auto counts = session.counts();
  ASSERT_TRUE(counts[0] && counts[1]);
  EXPECT_GE(counts[0]->value, 50u);
  EXPECT_EQ(counts[0]->value, counts[1]->value);
  EXPECT_EQ(sink.count(RecordType::sample), counts[0]->value);
}

TEST(Session, SystemWideSessionSeesOtherProcesses) {
  SKIP_WITHOUT_EVENTS({.tid = -1, .cpu = sched_getcpu()});
  SessionPlan plan = plan_of({clock_event()});
  plan.target.system_wide = true;
  plan.target.command = {"cat", "/dev/null"};
  Session session(plan);
  CountingSink sink;
  run_to_the_end(session, sink);
  EXPECT_EQ(session.rings(), online_cpus({}).size());
  std::vector<std::string> names;
  for (const auto& comm : sink.others[RecordType::comm]) names.emplace_back(c_string(Bytes(comm).subspan(8)));
  EXPECT_THAT(names, Contains("cat"));
}

// A process may map its files on any CPU.
TEST(Session, SamplesComeFromTheListedCpusAndOtherRecordsFromAll) {
  const auto cpus = online_cpus({});
  const unsigned last = cpus.back();
  SKIP_WITHOUT_EVENTS({.tid = -1, .cpu = static_cast<std::int32_t>(last)});
  SessionPlan plan = plan_of({clock_event()});
  plan.target.cpus = {last};
  Session session(plan);
  EXPECT_EQ(session.rings(), cpus.size());
  for (const CounterInfo& counter : session.counters()) {
    const Place listed{-1, static_cast<std::int32_t>(last)};
    EXPECT_TRUE(counter.event != 0 || counter.place == listed);
  }
  EXPECT_THAT(session.events()[0].ids, SizeIs(1));
  EXPECT_THAT(session.events()[1].ids, SizeIs(cpus.size()));
}

TEST(Session, ThreadThatHasEndedIsLeftOut) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  Child ended([] {});
  const auto dead = static_cast<std::int32_t>(ended.pid());
  ended.release();
  ended.wait();
  SessionPlan plan = plan_of_own_thread(page_faults());
  const std::int32_t own = plan.target.threads[0];
  plan.target.threads = {dead, own};
  Session session(plan);
  for (const CounterInfo& counter : session.counters()) EXPECT_EQ(counter.place.tid, own);

  plan.target.threads = {dead};
  EXPECT_EQ(refusal(plan), "page-faults:u: all threads have ended");
}

TEST(Session, EndsWithTheRecordedProcess) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  Child child([] { fault(10); });
  Session session(plan_of_process(page_faults(), child.pid()));
  EXPECT_TRUE(session.running());
  CountingSink sink;
  session.start();
  child.release();
  while (session.running()) session.wait(), session.drain(sink);
  session.drain(sink);
  EXPECT_GE(sink.count(RecordType::sample), 10u);
  EXPECT_EQ(sink.count(RecordType::exit), 1u);
}

// The longest wait would be ten minutes, so only the end of the command can have woken the session.
TEST(Session, IdleSessionSleepsUntilTheCommandEnds) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  SessionPlan plan = plan_of({page_faults()});
  plan.target.command = {"sleep", "0.3"};
  plan.rings.longest_wait = std::chrono::minutes(10);
  Session session(plan);
  CountingSink sink;
  session.start();
  std::size_t waits = 0;
  for (; session.running(); ++waits) session.wait(), session.drain(sink);
  EXPECT_LE(waits, 3u);  // the hang-ups of the counters on each CPU may come before the end of the command
}

TEST(Session, DelayEnablesEventsLater) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  SessionPlan plan = plan_of_own_thread(page_faults());
  plan.delay = std::chrono::milliseconds(1);
  plan.rings.longest_wait = std::chrono::minutes(10);
  Session session(plan);
  CountingSink sink;
  session.start();
  session.wait();
  fault(10);
  session.stop();
  session.drain(sink);
  EXPECT_GE(sink.count(RecordType::sample), 10u);
}

TEST(Session, TimesAreThoseOfTheMonotonicClock) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  Session session(plan_of_own_thread(page_faults()));
  CountingSink sink;
  sink.keep_samples = true;
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
  };
  const std::uint64_t before = now();
  session.start();
  fault(10);
  session.stop();
  const std::uint64_t after = now();
  session.drain(sink);
  for (const auto& sample : sink.samples) {
    EXPECT_THAT(ByteReader(Bytes(sample).subspan(24)).u64(), AllOf(Ge(before), ::testing::Le(after)));
  }
}

TEST(Session, HardwareCyclesBecomeTheClockWhereThereIsNoCounter) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  EventRequest cycles;
  cycles.attr.type = reader::event_type::hardware;
  cycles.attr.set(reader::attr_flag::exclude_kernel);
  cycles.attr.set(reader::attr_flag::exclude_hv);
  cycles.most_precise = true;
  cycles.name = "cycles:Pu";
  Session session(plan_of_own_thread(cycles));
  if (attr_of(session, 0).type == reader::event_type::hardware) GTEST_SKIP() << "this machine has a counter of cycles";
  EXPECT_EQ(session.event_names()[0], "cpu-clock:u");
  EXPECT_EQ(attr_of(session, 0).precise_ip(), 0u);
  EXPECT_THAT(session.left_out(), Contains(HasSubstr("cpu-clock is recorded instead")));
}

TEST(Session, TargetsThatContradictThemselvesAreRefused) {
  SessionPlan plan = plan_of({page_faults()});
  plan.target.system_wide = true;
  plan.target.processes = {1};
  EXPECT_THAT(refusal(plan), HasSubstr("not both"));
  EXPECT_EQ(refusal(SessionPlan{}), "no event to record");
}

TEST(Session, EventIsOpenedOnTheCpusThatItsPmuServes) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  const auto cpus = online_cpus({});
  EventRequest event = page_faults();
  event.cpus = {cpus.back()};
  const Session session(plan_of_process(event, static_cast<std::int32_t>(getpid())));
  for (const CounterInfo& counter : session.counters()) {
    EXPECT_TRUE(counter.event != 0 || counter.place.cpu == static_cast<std::int32_t>(cpus.back()));
  }
  EXPECT_EQ(session.rings(), cpus.size());

  event.cpus = {cpus.back() + 1};
  EXPECT_THAT(refusal(plan_of_process(event, static_cast<std::int32_t>(getpid()))),
              HasSubstr("its PMU serves none of the recorded CPUs"));
}

TEST(Session, CommandThatDoesNotExistIsNamed) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  SessionPlan plan = plan_of({page_faults()});
  plan.target.command = {"/no/such/program"};
  EXPECT_EQ(refusal(plan), "/no/such/program: cannot be executed: No such file or directory");
}

TEST(Session, EventThatDoesNotExistIsNamed) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  EventRequest unknown = page_faults();
  unknown.attr.type = reader::event_type::tracepoint;
  unknown.attr.config = 0xffff'ffff;
  unknown.name = "sched:nothing";
  EXPECT_THAT(refusal(plan_of_own_thread(unknown)), HasSubstr("no tracepoint with the number"));
}

// The number of a tracepoint that only the calls of this test reach; nothing: tracefs is not mounted or not readable.
std::optional<std::uint64_t> getppid_tracepoint() {
  std::ifstream file("/sys/kernel/tracing/events/syscalls/sys_enter_getppid/id");
  std::uint64_t number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

TEST(Session, EachTracepointIsASampleUnlessTheFilterOfTheKernelDropsIt) {
  SKIP_WITHOUT_EVENTS({.tid = -1, .cpu = sched_getcpu()});
  const auto number = getppid_tracepoint();
  if (!number) GTEST_SKIP() << "tracefs has no tracepoint of getppid()";
  EventRequest event;
  event.attr.type = reader::event_type::tracepoint;
  event.attr.config = *number;
  event.name = "syscalls:sys_enter_getppid";
  SessionPlan plan = plan_of_own_thread(event);
  plan.events.push_back(event);
  plan.events[1].leader = 1;
  plan.events[1].filter = "common_pid == 0";
  Session session(plan);
  CountingSink sink;
  session.start();
  for (int call = 0; call < 1000; ++call) syscall(SYS_getppid);
  session.stop();
  session.drain(sink);
  EXPECT_EQ(sink.count(RecordType::sample), 1000u);

  plan.events[1].filter = "no_such_field == 0";
  EXPECT_THAT(refusal(plan), HasSubstr("the kernel refuses the filter 'no_such_field == 0'"));
}

TEST(Session, CgroupMeansTheThreadsInIt) {
  SKIP_WITHOUT_EVENTS({.tid = -1, .cpu = sched_getcpu()});
  std::ifstream mounts("/proc/mounts");
  const std::string root = cgroup_mount_point(std::string(std::istreambuf_iterator<char>(mounts), {}));
  const std::string name = "perfsift-test-" + std::to_string(getpid());
  const std::string folder = root + "/" + name;
  if (root.empty() || mkdir(folder.c_str(), 0755) != 0) GTEST_SKIP() << "no cgroup can be made here";
  Child inside([] { fault(500); }), outside([] { fault(500); });
  std::ofstream(folder + "/cgroup.procs") << inside.pid() << std::flush;

  SessionPlan plan = plan_of({page_faults()});
  plan.target.cgroups = {name};
  CountingSink sink;
  sink.keep_samples = true;
  {
    Session session(plan);
    session.start();
    for (Child* child : {&inside, &outside}) child->release();
    for (Child* child : {&inside, &outside}) child->wait();
    session.stop();
    session.drain(sink);
  }
  EXPECT_EQ(rmdir(folder.c_str()), 0);
  EXPECT_THAT(sink.samples, SizeIs(Ge(500u)));
  // IDENTIFIER, IP, and TID, which begins with the pid.
  for (const auto& sample : sink.samples) {
    EXPECT_EQ(ByteReader(Bytes(sample).subspan(16)).i32(), inside.pid());
  }
}

// Runs in a process of its own. Exits with 0 if all is as expected.
void record_with_few_files() {
  const rlimit few{16, 1024};
  if (setrlimit(RLIMIT_NOFILE, &few) != 0) _exit(1);
  SessionPlan plan = plan_of_own_thread(page_faults());
  for (std::size_t index = 1; index < 40; ++index) {
    plan.events.push_back(page_faults());
    plan.events.back().leader = index;
  }
  const Session session(plan);
  _exit(session.counters().size() == 41 ? 0 : 2);  // with the dummy event
}

TEST(Session, LimitOfOpenFilesIsRaisedWhereTheUserMayDoSo) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  EXPECT_EXIT(record_with_few_files(), ::testing::ExitedWithCode(0), "");
}

// Runs in a process of its own, as a user without privileges. Exits with 0 if all is as expected.
void record_without_privileges() {
  if (setresuid(65534, 65534, 65534) != 0) _exit(1);
  EventRequest event = page_faults();
  event.attr.set(reader::attr_flag::exclude_kernel, false);
  event.name = "page-faults";
  SessionPlan plan = plan_of_own_thread(event);
  plan.rings.bytes = std::size_t{64} << 20;
  plan.side_band.namespaces = true;
  Session session(plan);
  CountingSink sink;
  session.start();
  fault(10);
  session.stop();
  session.drain(sink);
  const bool is_user_only = session.event_names()[0] == "page-faults:u" && attr_of(session, 0).exclude_kernel();
  if (!is_user_only) _exit(2);
  if (sink.count(RecordType::sample) < 10) _exit(3);
  std::string said;
  for (const std::string& sentence : session.left_out()) said += sentence + "\n";
  for (const char* part : {"the kernel is left out", "records of namespaces", "instead of 65536 KiB"}) {
    if (said.find(part) == std::string::npos) _exit(4);
  }
  _exit(0);
}

TEST(Session, UserWithoutPrivilegesRecordsWhatIsPermittedAndIsGivenTheReasons) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  if (geteuid() != 0) GTEST_SKIP() << "becoming another user needs root";
  std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
  int level = 0;
  file >> level;
  if (level != 2) GTEST_SKIP() << "kernel.perf_event_paranoid is " << level;
  EXPECT_EXIT(record_without_privileges(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace perfsift::record
