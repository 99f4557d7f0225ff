// The whole command, on recordings made by hand.
#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/tools/offcpu/sched_recording.h"
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
  Outcome run(Arguments options) {
    options.push_back(in.write(directory));
    return run_command(&offcpu, options);
  }
  nlohmann::json json(Arguments options = {}) {
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

  // Thread 7 is blocked for 3 ms, queued for 1 ms; thread 8 runs meanwhile.
  void block_once() {
    in.comm_at(1 * ms, 7, "server").comm_at(1 * ms, 8, "helper");
    in.switch_at(10 * ms, 7, test::S, 8, {0x1000, 0x1100});
    in.waking_at(13 * ms, 8, 7, {0x2000});
    in.switch_at(14 * ms, 8, test::preempted, 7, {0x3000});
    in.switch_at(20 * ms, 7, test::S, 8, {0x1000, 0x1100});
  }

  TemporaryDirectory directory;
  SchedRecording in;
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

TEST_F(Offcpu, TheReportNamesWhoHadTheCpuAndWhoWoke) {
  block_once();
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(outcome.out, HasSubstr("2 threads, 3 switches, 1 wakeups in 10.0 ms\n"));
  EXPECT_THAT(outcome.out, HasSubstr("6.00 ms waited preempted 1 times: server[7]\n"));
  EXPECT_THAT(outcome.out, HasSubstr("4.00 ms had waited woken 1 times: helper[8]\n"));
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
                "[unknown];[unknown],[unknown]\n"));
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
  // 5 ms up to the second sample, 1 ms after it and 1 ms before the third; the last has no sample after it.
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
  EXPECT_EQ(report["cut"]["intervals"], 3);  // thread 8 has one at each end, of no length
}

TEST_F(Offcpu, MissingSwitchesAreWarnedOf) {
  in.switch_at(10 * ms, 7, test::S, 8).switch_at(15 * ms, 7, test::S, 8);
  EXPECT_THAT(run({}).err, HasSubstr("2 switches are missing"));
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
  EXPECT_THAT(run({"--csv", "-"}).out, HasSubstr(",last sample,[unknown];[unknown],\n"));
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
  EXPECT_EQ(report["idle"]["intervals"], 2);     // the second one goes on at the end
  EXPECT_EQ(report["off_cpu"]["intervals"], 2);  // one was preempted, of one nothing is known
  EXPECT_THAT(run({"--show-idle-list"}).out, HasSubstr("\nep_poll\n"));
}

TEST_F(Offcpu, ThreadsThatNobodyToldOfAreKnownByTheirNumber) {
  in.switch_at(10 * ms, 7, test::S, 8).switch_at(15 * ms, 8, test::S, 7);
  EXPECT_EQ(of_thread(json(), 7)["comm"], ":7");
  EXPECT_THAT(run({"-o", "-", "-t", "7"}).out, HasSubstr(":7;[unknown] 5000\n"));
}

TEST_F(Offcpu, LivePrintsALineASecondAndMetrics) {
  block_once();
  in.waking_at(500 * ms, 8, 7).switch_at(501 * ms, 8, test::S, 7).switch_at(1100 * ms, 7, test::S, 8);
  in.switch_at(2200 * ms, 8, test::S, 7);
  const Outcome outcome = run({"--live", "--prometheus", place("metrics.prom"), "--spikes-over", "400ms"});
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(outcome.out, HasSubstr("1.010: 5 switches, off CPU P50 "));
  EXPECT_THAT(outcome.out,
              HasSubstr("0.020000000 server[7] off its CPU for 481 ms: blocked 480 ms, run queue 1.00 ms\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\nall: 6 switches, off CPU "));
  const std::string metrics = contents("metrics.prom");
  EXPECT_THAT(metrics, HasSubstr("perfsift_offcpu_switches_total 6\n"));
  EXPECT_THAT(metrics, HasSubstr("perfsift_offcpu_seconds_bucket{part=\"off_cpu\",le=\"0.01\"} 2\n"));
  EXPECT_THAT(metrics,
              HasSubstr("perfsift_offcpu_long_intervals_total{severity=\"notice\",at_least_seconds=\"0.4\"} 3\n"));
}

TEST_F(Offcpu, ARecordingWithoutSwitchesIsWarnedOf) {
  in = SchedRecording(SchedRecording::Without::tracepoints);
  in.cpu_clock_at(6 * ms, 7, {0x5000});
  EXPECT_THAT(run({}).err, HasSubstr("tells nothing about switches"));
}

TEST_F(Offcpu, WrongUsageIsToldOf) {
  struct Case {
    Arguments options;
    const char* message;
  };
  const Case cases[] = {{{"--unit", "ms"}, "there are us, ns and count"},
                        {{"--split", "pid"}, "there is state"},
                        {{"--json", "--timehist"}, "only one of"},
                        {{"--wall-clock"}, "it needs --output"},
                        {{"--wall-clock", "-o", "-", "-p", "1"}, "no filters"},
                        {{"--spikes-over", "soon"}, "not a time such as"},
                        {{"--spikes-over", "1ms", "--json"}, "has something else"},
                        {{"--min-block", "-1"}, "not a time such as"},
                        {{"--state", "Q"}, "there are R, S, D"},
                        {{"-u", "-k"}, "leave nothing together"},
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
