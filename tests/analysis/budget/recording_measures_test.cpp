// Waits, samples and memory accesses of recordings made by hand.
#include <functional>

#include <gmock/gmock.h>

#include "analysis/budget/assertion_judge.h"
#include "analysis/budget/sample_counts.h"
#include "analysis/budget/wait_lengths.h"
#include "tests/support/memory_recording.h"
#include "tests/support/sched_recording.h"

namespace perfsift::analysis {
namespace {

using ::testing::HasSubstr;

class RecordingMeasures : public ::testing::Test {
 protected:
  AssertionResult judge(const std::string& path, const std::string& text, unsigned threads = 1) const {
    const filter::Budget budget = filter::parse_budget({.origin = "b", .text = text});
    const filter::Assertion& assertion = budget.assertions.front();
    symbolize::Symbolizer symbolizer{symbolize::SymbolizeOptions()};
    const auto recording = reader::Recording::open(path);
    if (assertion.of == filter::MeasureOf::waits) {
      WaitCounter waits(budget);
      waits.count(*recording, symbolizer);
      return judge_assertion(assertion, "b", waits.measured(0), nullptr);
    }
    SampleCounter samples(budget);
    samples.count(*recording, symbolizer,
                  {.selection = everything_, .is_counted = [](auto&) { return true; }, .threads = threads});
    return judge_assertion(assertion, "b", samples.measured(0), nullptr);
  }
  Outcome outcome(const std::string& path, const std::string& text) const { return judge(path, text).outcome; }

  test::TemporaryDirectory directory_;
  const filter::Filter everything_{};
};

// Thread 7 sleeps 1000 times for 10 us: 9 us until it is woken, and 1 us in the run queue. It runs for 10 us each time.
class WaitMeasures : public RecordingMeasures {
 protected:
  WaitMeasures() {
    test::SchedRecording in;
    in.comm_at(1, 7, "rx-0").comm_at(2, 8, "other");
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const std::uint64_t start = 1'000'000 + i * 20'000;
      in.switch_at(start, 7, test::S, 8).waking_at(start + 9'000, 8, 7).switch_at(start + 10'000, 8, 0, 7);
    }
    path_ = in.write(directory_);
  }
  std::string path_;
};

TEST_F(WaitMeasures, PassAndFail) {
  EXPECT_EQ(outcome(path_, "p99(offcpu, comm == \"rx-0\") < 11us"), Outcome::passed);
  EXPECT_EQ(outcome(path_, "p99(offcpu, comm == \"rx-0\") < 9us"), Outcome::failed);
  EXPECT_EQ(outcome(path_, "p50(blocked, comm == \"rx-0\") < 9.5us"), Outcome::passed);
  EXPECT_EQ(outcome(path_, "p50(blocked, comm == \"rx-0\") < 8.5us"), Outcome::failed);
  EXPECT_EQ(outcome(path_, "max(runqueue, comm == \"rx-0\") <= 1us"), Outcome::passed);
  EXPECT_EQ(outcome(path_, "max(runqueue, comm == \"rx-0\") < 1us"), Outcome::failed);
  EXPECT_EQ(outcome(path_, "mean(offcpu, comm == \"rx-0\") < 11us"), Outcome::passed);
  EXPECT_EQ(outcome(path_, "mean(offcpu, comm == \"rx-0\") < 9us"), Outcome::failed);
  EXPECT_EQ(outcome(path_, "sum(offcpu, comm == \"rx-0\") <= 10ms"), Outcome::passed);
  EXPECT_EQ(outcome(path_, "sum(offcpu, comm == \"rx-0\") < 10ms"), Outcome::failed);
  EXPECT_EQ(outcome(path_, "count(offcpu, comm == \"rx-0\") == 1000"), Outcome::passed);
  EXPECT_EQ(outcome(path_, "count(offcpu, comm == \"rx-0\") < 1000"), Outcome::failed);
}

// The upper end of the interval of percentile 99.9 has the rank 999 + 1.96 * 1 of 1000, which does not exist.
TEST_F(WaitMeasures, NeedEnoughIntervalsForAPercentile) {
  const AssertionResult result = judge(path_, "p99.9(offcpu, comm == \"rx-0\") < 11us");
  EXPECT_EQ(result.outcome, Outcome::cannot_judge);
  EXPECT_THAT(result.explanation, HasSubstr("percentile 99.9 needs about"));
  EXPECT_EQ(outcome(path_, "p99.9(offcpu, comm == \"rx-0\") < 9us"), Outcome::failed);
}

// 30 of 1000 waits are long. If they come one by one, the share of short waits is surely at least 95 %. If all come at
// once, one burst more or less decides.
TEST_F(WaitMeasures, BurstsMakeIntervalsWider) {
  const auto with_long_waits = [&](const std::function<bool(int)>& is_long) {
    test::SchedRecording in;
    in.comm_at(1, 7, "rx-0").comm_at(2, 8, "other");
    std::uint64_t start = 1'000'000;
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t length = is_long(i) ? 100'000 : 10'000;
      in.switch_at(start, 7, test::S, 8).waking_at(start + length - 1'000, 8, 7).switch_at(start + length, 8, 0, 7);
      start += length + 10'000;
    }
    return in.write(directory_);
  };
  const std::string budget = "p95(offcpu, comm == \"rx-0\") < 50us", mean = "mean(offcpu, comm == \"rx-0\") < 14500ns";
  const std::string even = with_long_waits([](int i) { return i % 33 == 5 && i < 990; });
  EXPECT_EQ(outcome(even, budget), Outcome::passed);
  EXPECT_EQ(outcome(even, mean), Outcome::passed);
  const std::string burst = with_long_waits([](int i) { return i >= 500 && i < 530; });
  EXPECT_EQ(outcome(burst, budget), Outcome::cannot_judge);
  EXPECT_EQ(outcome(burst, mean), Outcome::cannot_judge);
  EXPECT_EQ(judge(burst, mean).measured->high, judge(burst, mean).measured->high);  // the draws are always the same
}

TEST_F(WaitMeasures, WithoutAnIntervalAreNotKnown) {
  EXPECT_THAT(judge(path_, "p99(offcpu, comm == \"tx-0\") < 9us").explanation, HasSubstr("intervals matches"));
  EXPECT_EQ(outcome(path_, "count(offcpu, comm == \"tx-0\") == 0"), Outcome::passed);
}

TEST_F(RecordingMeasures, WithoutSwitchesWaitsAreNotKnown) {
  test::SchedRecording in(test::SchedRecording::Without::tracepoints);
  for (std::uint64_t i = 0; i < 100; ++i) in.cpu_clock_at(1000 + i, 7, {0x1000});
  const AssertionResult result = judge(in.write(directory_), "p99(offcpu) < 1s");
  EXPECT_EQ(result.outcome, Outcome::cannot_judge);
  EXPECT_THAT(result.explanation, HasSubstr("has no record of switches"));
}

TEST_F(RecordingMeasures, CountSamplesThatExpressionsKeep) {
  test::SchedRecording in(test::SchedRecording::Without::tracepoints);
  in.comm_at(1, 7, "rx-0").comm_at(2, 8, "other");
  for (std::uint64_t i = 0; i < 1000; ++i) in.cpu_clock_at(1000 + i, i % 5 == 0 ? 7 : 8, {0x1000});
  const std::string path = in.write(directory_);
  EXPECT_DOUBLE_EQ(judge(path, "share(comm == \"rx-0\") < 25%").measured->value, 20);
  EXPECT_EQ(outcome(path, "share(comm == \"rx-0\") < 25%"), Outcome::passed);
  EXPECT_EQ(outcome(path, "share(comm == \"rx-0\") < 15%"), Outcome::failed);
  EXPECT_EQ(judge(path, "share(comm == \"rx-0\") < 25%", 3).measured->high,
            judge(path, "share(comm == \"rx-0\") < 25%").measured->high);
  const AssertionResult result = judge(path, "share(prev_state == \"D\") < 5%");
  EXPECT_EQ(result.outcome, Outcome::cannot_judge);
  EXPECT_THAT(result.explanation, HasSubstr("no such field"));
  EXPECT_THAT(judge(path, "remote_hitm == 0").explanation, HasSubstr("no memory access was recorded"));
}

TEST_F(RecordingMeasures, CountMemoryAccesses) {
  std::vector<test::ModelAccess> accesses;
  for (unsigned i = 0; i < 100; ++i) {
    accesses.push_back({.thread = 0,
                        .ip = test::ModelFile::text,
                        .address = test::ModelFile::counters,
                        .level = test::ModelLevel::remote_cache,
                        .snoop = i < 10 ? test::ModelSnoop::hitm : test::ModelSnoop::hit,
                        .latency = 100});
    accesses.push_back({.thread = 1, .ip = test::ModelFile::text, .address = test::ModelFile::total, .store = true});
  }
  const std::string path = directory_.write(
      "mem.data",
      Bytes(test::memory_recording(test::MemoryPmu::intel, accesses, test::ModelFile::mappings("/opt/model", false),
                                   test::ModelFile::machine())));
  EXPECT_EQ(outcome(path, "remote_hitm == 10"), Outcome::passed);
  EXPECT_EQ(outcome(path, "remote_hitm == 0"), Outcome::failed);
  EXPECT_EQ(outcome(path, "hitm < 2%"), Outcome::failed);
  EXPECT_EQ(outcome(path, "hitm < 15%"), Outcome::passed);
  EXPECT_EQ(outcome(path, "local_hitm == 0"), Outcome::passed);
  EXPECT_EQ(outcome(path, "local_hitm > 0"), Outcome::failed);
  EXPECT_EQ(outcome(path, "peer == 0"), Outcome::passed);
  EXPECT_EQ(outcome(path, "peer > 0"), Outcome::failed);
  EXPECT_EQ(outcome(path, "loads <= 100"), Outcome::passed);
  EXPECT_EQ(outcome(path, "loads < 100"), Outcome::failed);
  EXPECT_EQ(outcome(path, "stores(tid == 1002) == 100"), Outcome::passed);
  EXPECT_EQ(outcome(path, "stores(tid == 1001) > 0"), Outcome::failed);
  EXPECT_EQ(outcome(path, "accesses <= 200"), Outcome::passed);
  EXPECT_EQ(outcome(path, "accesses < 200"), Outcome::failed);
  EXPECT_THAT(judge(path, "remote_hitm(\"OrderBook\") == 0").explanation, HasSubstr("no sampled access matches"));
}

}  // namespace
}  // namespace perfsift::analysis
