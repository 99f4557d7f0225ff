// The content and the order of the report, on recordings made by hand.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/support/sched_recording.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools {
namespace {

using test::SchedRecording;
using ::testing::HasSubstr;
using ::testing::Not;

class OffcpuReport : public ::testing::Test {
 protected:
  static constexpr std::uint64_t us = 1000, ms = 1'000'000;
  static constexpr std::uint64_t base = 0xffffffff81000000, kernel = reader::callchain_context::kernel;

  OffcpuReport() {
    directory.write("kallsyms", std::string_view("ffffffff81000000 T _text\nffffffff81000100 T schedule\n"
                                                 "ffffffff81000200 T __mutex_lock\nffffffff81000300 T do_nanosleep\n"
                                                 "ffffffff81000400 T worker_thread\nffffffff81000500 T kthread\n"));
  }
  Outcome run(options::Arguments options) {
    for (const std::string& option : {std::string("-q"), std::string("--no-inline"), std::string("--kallsyms"),
                                      (directory.path() / "kallsyms").string(), in.write(directory)}) {
      options.push_back(option);
    }
    return run_command("offcpu", options);
  }
  nlohmann::json json(options::Arguments options = {}) {
    options.emplace_back("--json");
    return nlohmann::json::parse(run(options).out);
  }

  // A daemon sleeps for 100 ms, a kernel thread is idle for 100 ms, and a server waits for a lock for 2 ms.
  void three_threads() {
    in.fork_at(1, 9, 2).kernel_at(2, base).comm_at(2, 7, "server").comm_at(3, 8, "daemon").comm_at(4, 9, "kworker");
    in.switch_at(10 * ms, 8, test::S, 9, {kernel, base + 0x110, base + 0x310});
    in.switch_at(11 * ms, 9, test::D, 7, {kernel, base + 0x110, base + 0x410, base + 0x510});
    in.switch_at(12 * ms, 7, test::D, 0, {kernel, base + 0x110, base + 0x210});
    in.waking_at(14 * ms, 0, 7).switch_at(14 * ms, 0, 0, 7);
    in.switch_at(20 * ms, 7, test::D, 0, {kernel, base + 0x110, base + 0x210});
    in.waking_at(110 * ms, 0, 8).switch_at(110 * ms, 0, 0, 8);
    in.switch_at(111 * ms, 8, test::S, 9, {kernel, base + 0x110, base + 0x310});
    in.switch_at(112 * ms, 9, test::preempted, 8, {kernel, base + 0x110, base + 0x410, base + 0x510});
    in.switch_at(150 * ms, 8, test::S, 9, {kernel, base + 0x110, base + 0x310});
    in.switch_at(151 * ms, 9, test::D, 0, {kernel, base + 0x110, base + 0x410, base + 0x510});
  }
  void stacks_that_end_early();
  // Thread 7 blocks `times` times, for 10 us each.
  void block(std::uint64_t times) {
    in.comm_at(1, 7, "server");
    for (std::uint64_t i = 0; i < times; ++i) {
      in.switch_at((10 + 20 * i) * us, 7, test::S, 8).switch_at((20 + 20 * i) * us, 8, test::S, 7);
    }
    in.switch_at((15 + 20 * times) * us, 7, test::S, 8);
  }
  static std::vector<std::string> in_order(const std::string& report, const std::vector<std::string>& texts) {
    std::vector<std::pair<std::size_t, std::string>> found;
    for (const std::string& text : texts) found.emplace_back(report.find(text), text);
    std::ranges::sort(found);
    std::vector<std::string> order;
    for (const auto& [place, text] : found) order.push_back(text);
    return order;
  }

  const test::TemporaryDirectory directory;
  SchedRecording in;
};

TEST_F(OffcpuReport, BeginsWithWhoDidNotChooseToWaitAndEndsWithTheKernelsOwn) {
  three_threads();
  const std::string report = run({}).out;
  const std::string threads =
      report.substr(report.find("\nThreads, by time they did not choose to wait (in run queues, "
                                "for locks, disks and page faults); the kernel's own last\n"));
  EXPECT_EQ(in_order(threads, {"daemon[8]\n", "kworker[9]\n", "server[7]\n"}),
            (std::vector<std::string>{"server[7]\n", "daemon[8]\n", "kworker[9]\n"}));
  EXPECT_THAT(threads, HasSubstr("  lock        server[7]\n"));
  EXPECT_THAT(threads, HasSubstr("  sleep       daemon[8]\n"));
  EXPECT_THAT(threads, HasSubstr("  idle        kworker[9]\n"));
  const std::string stacks = report.substr(report.find("\nStacks they left"));
  EXPECT_EQ(in_order(stacks, {"schedule < __mutex_lock\n", "schedule < do_nanosleep\n", "worker_thread < kthread\n"}),
            (std::vector<std::string>{"schedule < __mutex_lock\n", "schedule < do_nanosleep\n",
                                      "worker_thread < kthread\n"}));
  const std::string by_time = run({"--sort", "off-cpu"}).out;
  const std::string title = "\nThreads, by time off the CPU\n";
  EXPECT_THAT(by_time, HasSubstr(title));
  EXPECT_EQ(in_order(by_time.substr(by_time.find(title)), {"server[7]\n", "daemon[8]\n"}).front(), "server[7]\n")
      << "134 ms";
}

TEST_F(OffcpuReport, TellsInWhichWaysWasWaited) {
  three_threads();
  EXPECT_THAT(run({}).out, HasSubstr("\nWaiting in   intervals    blocked  run queue    longest\n"));
  const auto waits = json()["waits"];
  std::map<std::string, std::uint64_t> blocked;
  for (const auto& wait : waits) {
    if (!wait["wait"].empty()) blocked[wait["wait"][0]] = wait["blocked"];
  }
  EXPECT_EQ(blocked["lock"], (2 + 131) * ms);
  EXPECT_EQ(blocked["sleep"], (100 + 1 + 1) * ms);
  EXPECT_EQ(blocked["preempted"], 0u);
}

// Thread 7 leaves its CPU on a stack of the kernel, and three times on a callchain whose last address is in no mapping.
void OffcpuReport::stacks_that_end_early() {
  in.kernel_at(1, base).comm_at(2, 7, "server");
  in.switch_at(10 * ms, 7, test::S, 0, {kernel, base + 0x110, base + 0x510}).switch_at(20 * ms, 0, 0, 7);
  for (const std::uint64_t time : {30, 50, 70}) {
    in.switch_at(time * ms, 7, test::S, 0, {kernel, base + 0x110, reader::callchain_context::user, 0x1000});
    in.switch_at((time + 10) * ms, 0, 0, 7);
  }
}

TEST_F(OffcpuReport, TellsWhichStacksAreIncompleteAndWhatHasNoName) {
  stacks_that_end_early();
  const std::string incomplete =
      "incomplete: 3 stacks (75 %), mostly: the code keeps no frame pointer (estimated): 75 %";
  const std::string without_a_name =
      "without a name: 3 frames (37.5 %), mostly: nothing was mapped at the address: 37.5 %";
  const std::string lines = "\n" + incomplete + "\n" + without_a_name + "\n";
  EXPECT_THAT(run({}).out, testing::EndsWith(lines));
  EXPECT_THAT(run({"--live"}).out, testing::EndsWith(lines));
  EXPECT_EQ(json()["notes"], nlohmann::json({incomplete, without_a_name}));
  EXPECT_EQ(json({"--max-block", "1ms"})["notes"], nlohmann::json::array()) << "of the intervals that are kept";
}

TEST_F(OffcpuReport, ListsIncompleteStacksAndWhatToDoForAnyOutput) {
  stacks_that_end_early();
  for (const options::Arguments& output :
       {options::Arguments{}, {"--live"}, {"--json"}, {"--timehist"}, {"--csv", "-"}, {"-o", "-"}}) {
    options::Arguments options = output;
    options.insert(options.end(), {"--incomplete", "--unresolved"});
    const std::string err = run(options).err;
    EXPECT_THAT(err,
                HasSubstr("the code keeps no frame pointer (estimated): 3 stacks, 75 %\n           3  [unknown]\n"));
    EXPECT_THAT(err, HasSubstr("nothing was mapped at the address: 3 frames, 37.5 %\n           3  [unknown]\n"));
  }
  EXPECT_EQ(run({}).err, "");
}

TEST_F(OffcpuReport, HasNoPercentileFromFewerIntervalsThanItNeeds) {
  block(999);
  EXPECT_EQ(json()["distributions"]["off_cpu"]["intervals"], 999 + 999);
  const auto few = json({"--tid", "7"});
  EXPECT_EQ(few["distributions"]["off_cpu"]["p99"], 10 * us);
  EXPECT_EQ(few["distributions"]["off_cpu"]["p99_9"], nullptr);
  EXPECT_EQ(few["threads"][0]["p99_9"], nullptr);
  EXPECT_THAT(run({"--tid", "7"}).out, HasSubstr("          -          -"));
  in = SchedRecording();
  block(1000);
  const auto enough = json({"--tid", "7"});
  EXPECT_NE(enough["distributions"]["off_cpu"]["p99_9"], nullptr);
  EXPECT_NE(enough["threads"][0]["p99_9"], nullptr);
  EXPECT_EQ(enough["distributions"]["off_cpu"]["p99_99"], nullptr);
}

TEST_F(OffcpuReport, HasNoFiguresOfWhatFiltersLeaveOut) {
  three_threads();
  EXPECT_THAT(run({"--tid", "7"}).out, HasSubstr("1 thread, 2 switches, 1 wakeup in 141 ms\n"));
  const auto of_thread = json({"--comms", "daemon,nobody"});
  EXPECT_EQ(of_thread["switches"], 3);
  EXPECT_EQ(of_thread["wakeups"], 1);
  EXPECT_EQ(of_thread["threads"].size(), 1u);
  EXPECT_EQ(of_thread["threads"][0]["times"]["run"], (1 + 38) * ms);

  const std::string some = run({"--filter", "wait == lock"}).out;
  EXPECT_THAT(some, testing::StartsWith("2 of "));
  EXPECT_THAT(some, HasSubstr(" intervals match, in 141 ms\n"));
  EXPECT_THAT(some, Not(HasSubstr("switches")));
  EXPECT_THAT(some, Not(HasSubstr("running")));
  const auto of_some = json({"--filter", "wait == lock"});
  EXPECT_FALSE(of_some.contains("switches"));
  EXPECT_EQ(of_some["matching"], 2);
  EXPECT_EQ(of_some["threads"].size(), 1u);
  EXPECT_FALSE(of_some["threads"][0].contains("times"));
  EXPECT_FALSE(of_some["threads"][0].contains("run_ms"));

  const std::string live = run({"--live", "--filter", "wait == lock"}).out;
  EXPECT_THAT(live, HasSubstr("all: 2 intervals, off CPU "));
  EXPECT_THAT(run({"--live"}).out, HasSubstr("all: 10 switches, off CPU "));
}

TEST_F(OffcpuReport, TheWallClockOfSomeAddsUp) {
  three_threads();
  for (const options::Arguments& filters :
       {options::Arguments{"--pids", "7,8"}, options::Arguments{"--comms", "server"},
        options::Arguments{"--filter", "wait == lock"}, options::Arguments{"--min-block", "50ms"}}) {
    options::Arguments options{"--wall-clock", "-o", (directory.path() / "folded").string()};
    options.insert(options.end(), filters.begin(), filters.end());
    const Outcome outcome = run(options);
    EXPECT_EQ(outcome.status, done) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("on CPU "));
    EXPECT_THAT(outcome.out, Not(HasSubstr("the sums differ")));
  }
  EXPECT_THAT(
      run({"--wall-clock", "-o", (directory.path() / "folded").string(), "--pid", "7"}).out,
      HasSubstr("on CPU 0.007000000 s + run queue 0.000000000 s + off CPU 0.134000000 s + unknown 0.000000000 s + "
                "not alive 0.000000000 s = 1 threads x 0.141000000 s\n"));
  EXPECT_THAT(
      run({"--wall-clock", "-o", (directory.path() / "folded").string(), "--pid", "7", "--max-block", "5ms"}).out,
      HasSubstr(" + left out by filters 0.131000000 s + "));
}

// A shell's thread changes its name to "program" by an exec. Both parts of its time are known, and the report shows the
// program's part.
TEST_F(OffcpuReport, TheWallClockOfAThreadThatGetsAnotherNameAddsUp) {
  in.comm_at(1, 7, "shell").switch_at(10 * ms, 7, test::S, 8).switch_at(20 * ms, 8, test::S, 7);
  in.comm_at(21 * ms, 7, "program").switch_at(22 * ms, 7, test::S, 8).switch_at(25 * ms, 8, test::S, 7);
  const std::string folded = (directory.path() / "folded").string();
  EXPECT_THAT(
      run({"--wall-clock", "-o", folded, "--comms", "program"}).out,
      HasSubstr("on CPU 0.002000000 s + run queue 0.000000000 s + off CPU 0.003000000 s + unknown 0.000000000 s + left "
                "out by filters 0.010000000 s + not alive 0.000000000 s = 1 threads x 0.015000000 s\n"));
  EXPECT_THAT(run({"--wall-clock", "-o", folded, "--comms", "shell"}).out, HasSubstr(" = 0 threads x 0.015000000 s\n"));
  EXPECT_THAT(run({"--wall-clock", "-o", "-", "--comms", "shell"}).out, "");
}

TEST_F(OffcpuReport, ListsOfThreadsAreThoseOfPerfScript) {
  three_threads();
  const auto tids = [&](const options::Arguments& options) {
    std::vector<int> all;
    const auto report = json(options);
    for (const auto& thread : report["threads"]) all.push_back(thread["tid"]);
    std::ranges::sort(all);
    return all;
  };
  EXPECT_EQ(tids({"--pid", "7,8"}), (std::vector<int>{7, 8}));
  EXPECT_EQ(tids({"-p", "7", "-p", "9"}), (std::vector<int>{7, 9}));
  EXPECT_EQ(tids({"--pids", "9", "--pid", "7"}), (std::vector<int>{7, 9}));
  EXPECT_EQ(tids({"--tids", "8"}), (std::vector<int>{8}));
  directory.write("names", std::string_view("server\nkworker\n"));
  EXPECT_EQ(tids({"--comms", "file://" + (directory.path() / "names").string()}), (std::vector<int>{7, 9}));
  EXPECT_EQ(tids({"-j", "1", "--comms", "server"}), (std::vector<int>{7}));
}

TEST_F(OffcpuReport, AnIntervalIsInTheCgroupThatTheThreadLeftIn) {
  in.comm_at(1, 7, "server").in_cgroup(2, 40, "/web.slice").switch_at(10 * ms, 7, test::S, 8);
  in.in_cgroup(11 * ms, 41, "/batch.slice").switch_at(13 * ms, 8, test::S, 7).switch_at(15 * ms, 7, test::S, 8);
  in.switch_at(17 * ms, 8, test::S, 7);
  const auto starts = [&](const std::string& expression) {
    return run({"--csv", "-", "-t", "7", "--filter", expression + " && whole"}).out;
  };
  EXPECT_THAT(starts("cgroup == \"/web.slice\""), HasSubstr("\n10000000,13000000,"));
  EXPECT_THAT(starts("cgroup == \"/web.slice\""), HasSubstr(",other,/web.slice\n"));
  EXPECT_THAT(starts("cgroup == \"/web.slice\""), Not(HasSubstr("\n15000000,")));
  EXPECT_THAT(starts("cgroup_id == 41"), HasSubstr("\n15000000,17000000,"));
  EXPECT_EQ(run({"-o", "-", "-t", "7", "--split", "cgroup", "--filter", "whole"}).out,
            "server;[unknown];[/batch.slice] 2000\nserver;[unknown];[/web.slice] 3000\n");
  const auto spikes = json({"--spikes-over", "1ms", "-t", "7", "--filter", "whole"})["spikes"];
  EXPECT_EQ(spikes[0]["cgroup"], "/web.slice");
}

TEST_F(OffcpuReport, ACgroupMayHaveNoPath) {
  in.comm_at(1, 7, "server").in_cgroup(2, 40, "").switch_at(10 * ms, 7, test::S, 8).switch_at(13 * ms, 8, test::S, 7);
  EXPECT_EQ(run({"-o", "-", "-t", "7", "--split", "cgroup", "--filter", "whole"}).out,
            "server;[unknown];[unknown cgroup] 3000\n");
}

TEST_F(OffcpuReport, TheWayOfWaitingIsAFrame) {
  three_threads();
  EXPECT_EQ(run({"-o", "-", "--comms", "server", "--split", "wait", "--filter", "whole"}).out,
            "server;__mutex_lock;schedule;[lock] 2000\n");
}

}  // namespace
}  // namespace perfsift::tools
