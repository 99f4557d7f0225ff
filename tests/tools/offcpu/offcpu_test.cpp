// Tests the whole command, on recordings made by hand.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reader/recording.h"
#include "tests/support/sched_recording.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools {
namespace {

using test::SchedRecording;
using test::TemporaryDirectory;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t us = 1000, ms = 1'000'000;

class Offcpu : public ::testing::Test {
 protected:
  Outcome run(options::Arguments options) {
    options.push_back(in.write(directory));
    return run_command("offcpu", options);
  }
  nlohmann::json json(options::Arguments options = {}) {
    options.push_back("--json");
    const Outcome outcome = run(options);
    EXPECT_EQ(outcome.status, done) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  }
  static nlohmann::json of_thread(const nlohmann::json& report, int tid) {
    for (const auto& thread : report["threads"]) {
      if (thread["tid"] == tid) return thread;
    }
    ADD_FAILURE() << "no thread " << tid;
    return {};
  }
  std::string contents(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(directory.path() / name).rdbuf();
    return text.str();
  }
  std::string place(const std::string& name) const { return (directory.path() / name).string(); }

  // Thread 7 is blocked for 3 ms and then queued for 1 ms. Thread 8 runs during this time.
  void block_once() {
    in.comm_at(1 * ms, 7, "server").comm_at(1 * ms, 8, "helper");
    in.switch_at(10 * ms, 7, test::S, 8, {0x1000, 0x1100});
    in.waking_at(13 * ms, 8, 7, {0x2000});
    in.switch_at(14 * ms, 8, test::preempted, 7, {0x3000});
    in.switch_at(20 * ms, 7, test::S, 8, {0x1000, 0x1100});
  }

  // Thread 7 waits for a lock for 60 us and is woken by thread 8, then for a pipe for 400 us and is woken by thread 9.
  // Thread 9 preempts it for 100 us in between.
  options::Arguments wait_for_a_lock_and_a_pipe() {
    constexpr std::uint64_t base = 0xffffffff81000000, kernel = reader::callchain_context::kernel;
    directory.write("kallsyms", std::string_view("ffffffff81000000 T _text\nffffffff81000100 T schedule\n"
                                                 "ffffffff81000200 T futex_wait\nffffffff81000300 T pipe_read\n"
                                                 "ffffffff81000400 T do_free\n"));
    in.kernel_at(1, base).comm_at(2, 7, "server").comm_at(3, 8, "holder").comm_at(4, 9, "writer");
    in.switch_at(1000 * us, 7, test::S, 8, {kernel, base + 0x110, base + 0x210});
    in.waking_at(1050 * us, 8, 7).switch_at(1060 * us, 8, test::S, 7);
    in.switch_at(2000 * us, 7, test::preempted, 9, {0x3000}).switch_at(2100 * us, 9, test::S, 7, {0x3000});
    in.cpu_clock_at(2990 * us, 7, {0x5000}).switch_at(3000 * us, 7, test::D, 9, {kernel, base + 0x110, base + 0x310});
    in.cpu_clock_at(3200 * us, 9, {0x5000})
        .waking_at(3390 * us, 9, 7, {kernel, base + 0x410})
        .switch_at(3400 * us, 9, test::S, 7, {0x3000});
    in.cpu_clock_at(3405 * us, 7, {0x5000}).cpu_clock_at(3500 * us, 7, {0x5000});
    return {"-q", "--no-inline", "--kallsyms", place("kallsyms")};
  }
  // The start times, in microseconds, of the intervals of thread 7 that an expression keeps.
  std::string kept(const std::string& expression) {
    in = SchedRecording();
    options::Arguments options = wait_for_a_lock_and_a_pipe();
    for (const char* option : {"--csv", "-", "-t", "7", "--filter"}) options.emplace_back(option);
    options.push_back(expression);
    const Outcome outcome = run(options);
    EXPECT_EQ(outcome.status, done) << outcome.err;
    std::istringstream lines(outcome.out);
    std::string starts, line;
    std::getline(lines, line);  // the heading
    while (std::getline(lines, line)) starts += std::to_string(std::stoull(line) / us) + " ";
    return starts;
  }

  TemporaryDirectory directory;
  SchedRecording in;
};

// The times of the samples in a recording.
class SampleTimes : public reader::OrderedVisitor {
 public:
  explicit SampleTimes(const std::string& path) { reader::Recording::open(path)->visit_in_order(*this); }
  void sample(const reader::Sample& sample) override { times.push_back(sample.time / us); }

  std::vector<std::uint64_t> times;  // in microseconds
};

TEST_F(Offcpu, TheTimesOfAThreadAreToldAsTimehistHasThemAndAsTheyAdd) {
  block_once();
  const auto thread = of_thread(json(), 7);
  EXPECT_EQ(thread["comm"], "server");
  EXPECT_EQ(thread["wait_ms"], 4.0);
  EXPECT_EQ(thread["sched_delay_ms"], 1.0);
  EXPECT_EQ(thread["run_ms"], 6.0);
  EXPECT_EQ(thread["times"], (nlohmann::json{{"run", 6 * ms}, {"run_queue", ms}, {"blocked", 3 * ms}, {"unknown", 0}}));
  EXPECT_EQ(thread["observed"], 10 * ms);
}

TEST_F(Offcpu, FoldedStacksAreThoseOfBcc) {
  block_once();
  EXPECT_THAT(run({"-o", "-", "--unit", "us", "--tid", "7"}).out, HasSubstr("server;[unknown];[unknown] 4000\n"));
  EXPECT_EQ(run({"-o", "-", "--unit", "count", "--tid", "8", "--state", "R"}).out, "helper;[unknown] 1\n");
  EXPECT_EQ(run({"-o", "-", "--unit", "ns", "-m", "4ms", "-M", "4ms", "--split", "state", "--waker"}).out,
            "server;[unknown];[unknown];[S];--;[unknown];helper 4000000\n");
}

TEST_F(Offcpu, TheWordBehindTheDelimiterIsAFile) {
  block_once();
  const std::string folded = run({"-o", "-"}).out;
  for (const char* delimiter : {"-d", "-qd", "--delimiter"}) EXPECT_EQ(run({"-o", "-", delimiter}).out, folded);
}

TEST_F(Offcpu, TheReportNamesWhoHadTheCpuAndWhoWoke) {
  block_once();
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(outcome.out, HasSubstr("2 threads, 3 switches, 1 wakeup in 10.0 ms\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n  server[7]              preempted others 1 time, 6.00 ms in total\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n  helper[8]              woke 1 wait, 4.00 ms in total\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\nNot in percentiles (incomplete): 2 intervals, 0 ns\n")) << "at each end one";
  EXPECT_THAT(outcome.out, HasSubstr("   4.19 ms         1 |"));
}

TEST_F(Offcpu, ASpikeIsListedWithAllThatIsKnown) {
  block_once();
  in.cpu_clock_at(21 * ms, 8, {0x4000});
  const Outcome outcome = run({"--spikes-over", "4ms", "--state", "S"});
  EXPECT_THAT(outcome.out,
              HasSubstr("0.010000000 server[7] off its CPU for 4.00 ms: blocked 3.00 ms, run queue 1.00 ms\n"
                        "  sleeping (S), cpu 0 to 0\n"
                        "  left on: [unknown] < [unknown]\n"
                        "  woken 3.00 ms after its start by helper[8] on cpu 0\n"
                        "    there on: [unknown]\n"
                        "  its CPU went to helper[8]\n"
                        "  cpu 0 meanwhile: helper[8] 4.00 ms\n\n"
                        "1 spikes\n"));
}

TEST_F(Offcpu, EveryIntervalIsALineOfCsv) {
  block_once();
  EXPECT_THAT(
      run({"--csv", "-", "-t", "7", "-m", "4ms"}).out,
      HasSubstr("10000000,14000000,4000000,3000000,1000000,0,sleeping,7,server,7,0,0,8,helper,0,8,helper,,switch,"
                "[unknown];[unknown],[unknown],other,\n"));
}

TEST_F(Offcpu, AnExpressionSaysWhichIntervalsCount) {
  EXPECT_EQ(kept("whole"), "1000 2000 3000 ");
  EXPECT_EQ(kept("blocked > 50us"), "3000 ");
  EXPECT_EQ(kept("blocked in 50us..390us && runqueue == 10us && whole"), "1000 3000 ");
  EXPECT_EQ(kept("offcpu <= 100us && whole"), "1000 2000 ");
  EXPECT_EQ(kept("stack has \"futex_wait\""), "1000 ");
  EXPECT_EQ(kept("blocked > 5us && stack has (sym =~ \"^pipe\" && cpumode == kernel) && leaf == \"schedule\""),
            "3000 ");
  EXPECT_EQ(kept("caller == \"futex_wait\" || state == \"R\""), "1000 2000 ");
  EXPECT_EQ(kept("state in {\"S\", \"D\"} && whole"), "1000 3000 ");
  EXPECT_EQ(kept("wait == futex"), "1000 ");
  EXPECT_EQ(kept("wait == pipe"), "3000 ");
  EXPECT_EQ(kept("wait in {preempted, pipe}"), "2000 3000 ");
  EXPECT_EQ(kept("wait == lock"), "");
  EXPECT_EQ(kept("wait != pipe"), "1000 2000 ") << "of the others nothing is known";
  EXPECT_EQ(kept("waker_comm == \"holder\""), "1000 ");
  EXPECT_EQ(kept("waker has \"do_free\""), "3000 ");
  EXPECT_EQ(kept("waker has \"do_free\" && stack has \"do_free\""), "");
  EXPECT_EQ(kept("has waker_tid && waker_tid != 8"), "3000 ");
  EXPECT_EQ(kept("next_comm == \"writer\" && next_tid == 9"), "2000 3000 ");
  EXPECT_EQ(kept("start >= 2000us && end < 3000us"), "2000 ");
  EXPECT_EQ(kept("comm == \"server\" && tid == pid && cpu == cpu_entered && whole && first(2)"), "1000 2000 ");
  EXPECT_EQ(kept("time >= 50% && whole"), "3000 ") << "of 1000 us to 3500 us";
}

TEST_F(Offcpu, AnExpressionHoldsForEverythingThatIsWritten) {
  options::Arguments options = wait_for_a_lock_and_a_pipe();
  for (const char* option : {"-t", "7", "--filter", "stack has \"pipe_read\"", "--filter", "blocked > 50us"}) {
    options.emplace_back(option);
  }
  const auto with = [&](options::Arguments more) {
    more.insert(more.begin(), options.begin(), options.end());
    return run(more).out;
  };
  EXPECT_EQ(with({"-o", "-"}), "server;pipe_read;schedule 400\n");
  EXPECT_THAT(with({"--spikes-over", "1us"}), HasSubstr("\n1 spikes\n"));
  const std::string report = with({});
  EXPECT_THAT(report, HasSubstr("\nOff a CPU: 1 interval, 400 us\n"));
  EXPECT_THAT(report, Not(HasSubstr("futex_wait")));
  options.emplace_back("--json");
  const auto json = nlohmann::json::parse(run(options).out);
  EXPECT_EQ(json["off_cpu"]["intervals"], 1);
  EXPECT_EQ(json["distributions"]["blocked"]["max"], 390 * us);
  options.back() = "--live";
  EXPECT_THAT(with({"--spikes-over", "1us"}), HasSubstr("off its CPU for 400 us: blocked 390 us, run queue 10.0 us\n"));
}

TEST_F(Offcpu, AStackWithAsManyFramesAsTheKernelRecordsGoesOn) {
  const std::vector<std::uint64_t> full(127, 0x1000), not_full(126, 0x1000);  // PERF_MAX_STACK_DEPTH
  in.switch_at(10 * ms, 7, test::S, 8, full).switch_at(11 * ms, 8, test::S, 7);
  in.switch_at(12 * ms, 7, test::S, 8, not_full).switch_at(13 * ms, 8, test::S, 7);
  const Outcome outcome = run({"--csv", "-", "--filter", "stack is truncated && tid == 7"});
  EXPECT_THAT(outcome.out, HasSubstr("\n10000000,11000000,"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\n12000000,")));
}

TEST_F(Offcpu, AnExpressionMayBeInAFile) {
  directory.write("slow", std::string_view("blocked > 50us  # by a lot\n&& whole\n"));
  options::Arguments options = wait_for_a_lock_and_a_pipe();
  for (const char* option : {"-t", "7", "-o", "-", "--filter-file"}) options.emplace_back(option);
  options.push_back(place("slow"));
  EXPECT_EQ(run(options).out, "server;pipe_read;schedule 400\n");
}

TEST_F(Offcpu, SpikesAreInJson) {
  options::Arguments options = wait_for_a_lock_and_a_pipe();
  for (const char* option : {"--json", "-t", "7", "--spikes-over", "400us", "--filter", "whole"}) {
    options.emplace_back(option);
  }
  const auto spikes = nlohmann::json::parse(run(options).out)["spikes"];
  const auto expected = nlohmann::json::parse(R"([{
    "tid": 7, "comm": "server", "pid": 7, "start": 3000000, "end": 3400000,
    "off_cpu": 400000, "blocked": 390000, "run_queue": 10000, "unknown": 0,
    "state": "uninterruptible", "wait": ["pipe"], "cut": "", "cpu_left": 0, "cpu_entered": 0,
    "stack_of": "switch", "frames": ["schedule", "pipe_read"],
    "waker": {"tid": 9, "comm": "writer", "cpu": 0, "frames": ["do_free"]},
    "next": {"tid": 9, "comm": "writer"},
    "meanwhile": [{"tid": 9, "comm": "writer", "ran": 400000}],
    "samples": [{"event": "cpu-clock", "count": 1, "comm": "writer", "frames": ["[unknown]"]}]
  }])");
  EXPECT_EQ(spikes, expected) << nlohmann::json::diff(spikes, expected).dump(1);
}

TEST_F(Offcpu, WithoutSpikesTheListInJsonIsEmptyOrNotThere) {
  block_once();
  EXPECT_EQ(json({"--spikes-over", "1s"})["spikes"], nlohmann::json::array());
  EXPECT_FALSE(json().contains("spikes"));
}

TEST_F(Offcpu, ARecordingIsCutAroundEachSpike) {
  options::Arguments options = wait_for_a_lock_and_a_pipe();
  for (const char* option : {"-t", "7", "--filter", "whole", "--spikes-over", "60us", "--around", "10us", "--cut-to"}) {
    options.emplace_back(option);
  }
  options.push_back(place("spike-%n.data"));
  const Outcome outcome = run(options);
  EXPECT_EQ(outcome.status, done) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\n3 spikes\n11 samples from 10.0 us before to 10.0 us after them are in "));
  // Both ends are included: 2990 us is 10 us before the start of the third spike.
  EXPECT_EQ(SampleTimes(place("spike-1.data")).times, (std::vector<std::uint64_t>{1000, 1050, 1060}));
  EXPECT_EQ(SampleTimes(place("spike-2.data")).times, (std::vector<std::uint64_t>{2000, 2100}));
  EXPECT_EQ(SampleTimes(place("spike-3.data")).times, (std::vector<std::uint64_t>{2990, 3000, 3200, 3390, 3400, 3405}));
  // A cut recording has enough records to find the same spike.
  const auto again = run_command(
      "offcpu", {"--json", "-q", "--spikes-over", "300us", "--filter", "whole && tid == 7", place("spike-3.data")});
  const auto spikes = nlohmann::json::parse(again.out)["spikes"];
  ASSERT_EQ(spikes.size(), 1u);
  EXPECT_EQ(spikes[0]["blocked"], 390 * us);
  EXPECT_EQ(spikes[0]["waker"]["comm"], "writer");
}

TEST_F(Offcpu, OneRecordingIsCutOfAllSpikes) {
  options::Arguments options = wait_for_a_lock_and_a_pipe();
  for (const char* option :
       {"-t", "7", "--filter", "whole", "--spikes-over", "60us", "--around", "1ms", "--json", "--cut-to"}) {
    options.emplace_back(option);
  }
  options.push_back(place("spikes.data"));
  const auto spikes = nlohmann::json::parse(run(options).out)["spikes"];
  EXPECT_EQ(spikes.size(), 3u);
  EXPECT_EQ(spikes[2]["recording"], place("spikes.data"));
  EXPECT_EQ(SampleTimes(place("spikes.data")).times,
            (std::vector<std::uint64_t>{1000, 1050, 1060, 2000, 2100, 2990, 3000, 3200, 3390, 3400, 3405, 3500}))
      << "each once, though they are around two spikes";
}

TEST_F(Offcpu, TheRecordingThatIsReadIsNotWrittenOver) {
  options::Arguments options = wait_for_a_lock_and_a_pipe();
  for (const char* option : {"--spikes-over", "60us", "--cut-to"}) options.emplace_back(option);
  options.push_back(place("perf.data"));
  const Outcome outcome = run(options);
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_THAT(outcome.err, HasSubstr("must be written to another place"));
  EXPECT_EQ(SampleTimes(place("perf.data")).times.size(), 12u);
}

TEST_F(Offcpu, TimehistIsThatOfPerf) {
  block_once();
  EXPECT_THAT(run({"--timehist"}).out,
              HasSubstr("       0.010000 [0000]  server[7]                           0.000      0.000      0.000 \n"
                        "       0.014000 [0000]  helper[8]                           0.000      0.000      4.000 \n"
                        "       0.020000 [0000]  server[7]                           4.000      1.000      6.000 \n"));
}

TEST_F(Offcpu, WallClockTimeIsSharedAmongSamplesAndAddsUp) {
  in.comm_at(1 * ms, 7, "server").comm_at(1 * ms, 8, "helper");
  in.switch_at(10 * ms, 8, test::S, 7).cpu_clock_at(12 * ms, 7, {0x5000}).cpu_clock_at(15 * ms, 7, {0x5000});
  in.switch_at(16 * ms, 7, test::S, 8).switch_at(20 * ms, 8, test::S, 7).cpu_clock_at(21 * ms, 7, {0x5000});
  in.switch_at(22 * ms, 7, test::S, 8);
  const Outcome outcome = run({"--wall-clock", "-o", place("folded")});
  EXPECT_EQ(outcome.status, done);
  // 7 ms are sampled: 5 ms before the second sample, 1 ms after it, and 1 ms before the third. No sample follows the
  // third, so the last 1 ms is not sampled.
  EXPECT_EQ(contents("folded"),
            "helper;[on CPU: not sampled] 4000\n"
            "helper;[unknown] 8000\n"
            "server;[on CPU: not sampled] 1000\n"
            "server;[unknown] 4000\n"
            "server;[unknown];[on CPU] 7000\n");
  EXPECT_THAT(
      outcome.out,
      HasSubstr("on CPU 0.012000000 s + run queue 0.000000000 s + off CPU 0.012000000 s + unknown 0.000000000 s + "
                "not alive 0.000000000 s = 2 threads x 0.012000000 s\n"));
}

TEST_F(Offcpu, TimeInWhichRecordsWereLostIsUnknown) {
  in.switch_at(10 * ms, 7, test::S, 8).lost_at(12 * ms, 3).switch_at(15 * ms, 8, test::S, 7);
  const auto report = json({"-q"});
  EXPECT_EQ(of_thread(report, 7)["times"]["unknown"], 5 * ms);
  EXPECT_EQ(report["distributions"]["off_cpu"]["intervals"], 0);
  EXPECT_EQ(report["cut"]["intervals"], 3);  // thread 8 has one interval at each end, both of length 0
}

// Only the switch from 8 to 7 is missing, but two switches contradict it.
TEST_F(Offcpu, MissingSwitchesAreCountedOnceAndWarnedOf) {
  in.switch_at(10 * ms, 7, test::S, 8).switch_at(15 * ms, 7, test::S, 8).switch_at(16 * ms, 8, test::S, 7);
  EXPECT_THAT(run({}).err, HasSubstr("1 switch was not recorded (container or -p?): the time around them is unknown; "
                                     "add --switch-events\n"));
  in.switch_record_at(17 * ms, 7, false);
  EXPECT_THAT(run({}).err, HasSubstr("1 switch was not recorded: the time around them is unknown\n"));
}

// A thread whose switch back was not sampled would seem to wait.
TEST_F(Offcpu, WhereSwitchesAreChosenNothingIsSaid) {
  in = SchedRecording(SchedRecording::Without::nothing, 5);
  block_once();
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_THAT(outcome.err, HasSubstr("has 3 of about 15 switches, because -F and -c choose some of sched:sched_switch, "
                                     "too: record without them, or add --switch-events\n"));
  in.switch_record_at(20 * ms, 7, true).switch_record_at(20 * ms, 8, false);
  EXPECT_EQ(run({}).status, done);
}

// For the threads of a process, only the switches away from these threads are recorded. A switch back is an event of
// another thread.
TEST_F(Offcpu, WhereNoThreadIsSeenToComeBackNothingIsSaid) {
  in.comm_at(1 * ms, 7, "server");
  for (const std::uint64_t time : {10, 20, 30}) in.switch_at(time * ms, 7, test::S, 0);
  for (const options::Arguments& options : {options::Arguments{}, options::Arguments{"-q"},
                                            options::Arguments{"--json"}, options::Arguments{"--csv", "-"}}) {
    const Outcome outcome = run(options);
    EXPECT_EQ(outcome.status, input_unusable);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("perf.data: has 3 switches away from threads, but none that brings one back"));
    EXPECT_THAT(outcome.err, HasSubstr("`perf record -g --switch-events -e sched:sched_switch -e sched:sched_waking -p "
                                       "PID`"));
  }
}

TEST_F(Offcpu, AFilterThatKeepsNothingSaysSo) {
  block_once();
  const Outcome outcome = run({"--min-block", "10s"});
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(outcome.err, HasSubstr("warning: " + place("perf.data") + ": 0 of 4 intervals match\n"));
  EXPECT_EQ(run({"--min-block", "10s", "--fail-empty"}).status, check_failed);
  EXPECT_THAT(run({"--filter", "stack has \"nowhere\"", "--fail-empty", "-q"}).err,
              HasSubstr(": 0 of 4 intervals match\n"));
  EXPECT_EQ(run({"--min-block", "4ms", "--fail-empty"}).status, done);
}

TEST_F(Offcpu, SwitchRecordsAreEnoughAndTakeTheLastSamplesStack) {
  in = SchedRecording(SchedRecording::Without::tracepoints);
  in.comm_at(1 * ms, 7, "server").switch_record_at(5 * ms, 7, false).cpu_clock_at(6 * ms, 7, {0x5000, 0x5100});
  in.switch_record_at(10 * ms, 7, true).switch_record_at(13 * ms, 7, false);
  in.switch_record_at(14 * ms, 7, true, true).switch_record_at(16 * ms, 7, false);
  const auto times = of_thread(json(), 7)["times"];
  EXPECT_EQ(times["run"], 6 * ms);
  EXPECT_EQ(times["blocked"], 3 * ms);
  EXPECT_EQ(times["run_queue"], 2 * ms);
  EXPECT_THAT(run({"--csv", "-"}).out, HasSubstr(",last sample,[unknown];[unknown],,,\n"));
}

TEST_F(Offcpu, WhereTracepointsTellSwitchRecordsChangeNothing) {
  block_once();
  const auto alone = json();
  in = SchedRecording();
  block_once();
  in.switch_record_at(20 * ms + 1 * us, 7, true).switch_record_at(20 * ms + 2 * us, 8, false);
  const auto both = json();
  EXPECT_EQ(both["switches"], alone["switches"]);
  EXPECT_EQ(both["input"]["contradictions"], 0);
}

TEST_F(Offcpu, IdleWaitsAreLeftOutByAListAndTotalled) {
  block_once();
  directory.write("list", "# comment\nnowhere *\n*unkno* ?u*  # both\n");
  const auto report = json({"--ignore-idle", "--idle-list", place("list")});
  EXPECT_EQ(report["idle"]["intervals"], 2);     // the second interval continues to the end of the recording
  EXPECT_EQ(report["off_cpu"]["intervals"], 2);  // one is a preemption, one is unknown
  EXPECT_THAT(run({"--show-idle-list"}).out, HasSubstr("\nep_poll\n"));
}

TEST_F(Offcpu, ThreadsThatNobodyToldOfAreKnownByTheirNumber) {
  in.switch_at(10 * ms, 7, test::S, 8).switch_at(15 * ms, 8, test::S, 7);
  EXPECT_EQ(of_thread(json(), 7)["comm"], ":7");
  EXPECT_THAT(run({"-o", "-", "-t", "7"}).out, HasSubstr(":7;[unknown] 5000\n"));
}

TEST_F(Offcpu, NamesInMetricsAreEscapedAsTheFormatWantsItAndNotTwice) {
  in.comm_at(1 * ms, 7, "a\nb").switch_at(10 * ms, 7, test::S, 8).switch_at(15 * ms, 8, test::S, 7);
  EXPECT_EQ(run({"--live", "--prometheus", place("metrics.prom")}).status, done);
  EXPECT_THAT(contents("metrics.prom"), HasSubstr("{part=\"off_cpu\",comm=\"a?b\",kind=\"other\"} 1\n"));
}

TEST_F(Offcpu, LivePrintsALineASecondAndMetrics) {
  block_once();
  in.waking_at(500 * ms, 8, 7).switch_at(501 * ms, 8, test::S, 7).switch_at(1100 * ms, 7, test::S, 8);
  in.switch_at(2200 * ms, 8, test::S, 7);
  const Outcome outcome = run({"--live", "--prometheus", place("metrics.prom"), "--spikes-over", "400ms"});
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(outcome.out, HasSubstr("1.010: 5 switches, off CPU P50 6.03 ms P99 - P99.9 - max 599 ms, "));
  EXPECT_THAT(outcome.out,
              HasSubstr("0.020000000 server[7] off its CPU for 481 ms: blocked 480 ms, run queue 1.00 ms\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\nall: 6 switches, off CPU "));
  const std::string metrics = contents("metrics.prom");
  EXPECT_THAT(metrics, HasSubstr("perfsift_offcpu_switches_total 6\n"));
  const std::string series = "perfsift_offcpu_seconds_bucket{part=\"off_cpu\",comm=\"server\",kind=\"other\",le=\"";
  EXPECT_THAT(metrics, HasSubstr(series + "0.002048\"} 0\n"));
  EXPECT_THAT(metrics, HasSubstr(series + "0.004096\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr(series + "0.524288\"} 2\n"));
  EXPECT_THAT(metrics, HasSubstr("{part=\"run_queue\",comm=\"helper\",kind=\"preempted\",le=\"0.008192\"} 1\n"));
  EXPECT_THAT(metrics,
              HasSubstr("perfsift_offcpu_long_intervals_total{severity=\"notice\",at_least_seconds=\"0.4\"} 3\n"));
}

TEST_F(Offcpu, LiveListsAThousandSpikesASecondAndCountsTheOthers) {
  in.comm_at(1, 7, "server");
  for (std::uint64_t i = 0; i < 1200; ++i) {
    in.switch_at((10 + 100 * i) * us, 7, test::S, 8).switch_at((60 + 100 * i) * us, 8, test::S, 7);
  }
  in.switch_at(1500 * ms, 7, test::S, 8).switch_at(1501 * ms, 8, test::S, 7);
  const Outcome outcome = run({"--live", "--spikes-over", "1us", "-t", "7"});
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(outcome.out, HasSubstr("\n200 more spikes since the line before are not listed\n"));
  EXPECT_THAT(outcome.out, HasSubstr("1.500000000 server[7] off its CPU for 1.00 ms")) << "of the next second";
  EXPECT_THAT(outcome.err, HasSubstr("200 spikes are not listed: only the first 1000 of each line are"));
}

TEST_F(Offcpu, ARecordingWithoutSwitchesCannotBeUsed) {
  for (const options::Arguments& options : {options::Arguments{}, options::Arguments{"--json", "-q"},
                                            options::Arguments{"--live"}, options::Arguments{"-o", "-"}}) {
    in = SchedRecording(SchedRecording::Without::tracepoints);
    in.cpu_clock_at(6 * ms, 7, {0x5000});
    const Outcome outcome = run(options);
    EXPECT_EQ(outcome.status, input_unusable);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err,
                HasSubstr("perf.data: has no record of switches: record with "
                          "`perf record -a -g -e sched:sched_switch -e sched:sched_waking -- sleep 5`, or with `perf "
                          "record -g --switch-events ...`, which needs no right to use tracepoints\n"));
  }
  EXPECT_EQ(run({"-o", place("folded")}).status, input_unusable);
  EXPECT_FALSE(std::filesystem::exists(place("folded")));
}

TEST_F(Offcpu, WrongUsageIsToldOf) {
  struct Case {
    options::Arguments options;
    const char* message;
  };
  const Case cases[] = {
      {{"--unit", "ms"}, "there are us, ns and count"},
      {{"--split", "pid"}, "there are state, wait and cgroup"},
      {{"--json", "--timehist"}, "only one of"},
      {{"--wall-clock"}, "it needs --output"},
      {{"--sort", "size"}, "there are involuntary, off-cpu"},
      {{"--pid", "1,x"}, "--pid 1,x: expected numbers"},
      {{"--pids", ""}, "--pids : expected numbers"},
      {{"--comms", ","}, "expected names"},
      {{"-j", "0"}, "from 1 to"},
      {{"--prometheus-factor", "2"}, "they need --prometheus"},
      {{"--prometheus-factor", "1", "--live", "--prometheus", "x"}, "a number from 1.1 to 10 is needed"},
      {{"--prometheus-series", "10001", "--live", "--prometheus", "x"}, "a whole number from 0 to 10000 is needed"},
      {{"--spikes-over", "soon"}, "not a time such as"},
      {{"--spikes-over", "1ms", "--timehist"}, "has something else"},
      {{"--cut-to", "x"}, "needs --spikes-over"},
      {{"--around", "1ms", "--spikes-over", "1ms"}, "needs --cut-to"},
      {{"--around", "x", "--spikes-over", "1ms", "--cut-to", "x"}, "--around x: not a time"},
      {{"--cut-to", "-", "--spikes-over", "1ms"}, "which standard output is not"},
      {{"--cut-to", "x", "--spikes-over", "1ms", "--live"}, "--live has no end"},
      {{"--filter", "period > 3"}, "samples have such a field, and intervals do not"},
      {{"--min-block", "-1"}, "not a time such as"},
      {{"--state", "Q"}, "there are R, S, D"},
      {{"--state", "4294967296"}, "a number below 2^32"},
      {{"-u", "-k"}, "together leave no threads"},
      {{"--live", "--json"}, "report without end"},
      {{"--prometheus", ":0"}, "needs --live"},
      {{"--idle-list", "/nowhere"}, "cannot read"},
      {{"--idle-list", "/dev/null"}, "is empty"}};
  for (const Case& wrong : cases) {
    const Outcome outcome = run(wrong.options);
    EXPECT_NE(outcome.status, done) << wrong.message;
    EXPECT_THAT(outcome.err, HasSubstr(wrong.message));
  }
}

}  // namespace
}  // namespace perfsift::tools
