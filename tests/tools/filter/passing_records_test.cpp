// Context switches, throttling, losses and counters are left out where no sample is kept.
#include "analysis/rewrite/passing_records.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/rewrite/time_windows.h"
#include "output/recording/parts_writer.h"
#include "tests/support/bytes.h"
#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools {
namespace {

namespace bit = reader::sample_bit;
using reader::RecordType;
using testing::ElementsAre;
using testing::SizeIs;

// The records of a recording that pass the filter, with their times.
struct Passing : reader::OrderedVisitor {
  explicit Passing(const std::string& path) {
    const auto recording = reader::Recording::open(path);
    recording->visit_in_order(*this);
    whole = recording->stats().whole();
  }
  void sample(const reader::Sample& sample) override { samples.push_back(sample.time); }
  void record(const reader::Record& record, const reader::SampleId& id, reader::Moment) override {
    types.push_back(record.header.type);
    if (record.header.type == RecordType::switch_) switches.emplace_back(id.time, id.tid);
    if (analysis::is_passing(record.header.type) && !analysis::is_switch(record.header.type)) others.push_back(id.time);
  }

  std::vector<std::uint64_t> samples, others;
  std::vector<std::pair<std::uint64_t, std::int32_t>> switches;
  std::vector<RecordType> types;
  bool whole = false;
};

class PassingRecords : public testing::Test {
 protected:
  PassingRecords() {
    in_.event({.sample_type = bit::ip | bit::tid | bit::time | bit::cpu, .flags = test::sample_id_all}, {1});
  }
  void record(std::uint64_t time, RecordType type, std::uint32_t tid, test::BytesBuilder payload = test::BytesBuilder(),
              std::uint16_t misc = 0) {
    in_.record(type, payload.u32(tid).u32(tid).u64(time).u32(0).u32(0), misc);
  }
  void out(std::uint64_t time, std::uint32_t tid) {
    record(time, RecordType::switch_, tid, in_.bytes(), reader::misc::switch_out);
  }
  void in(std::uint64_t time, std::uint32_t tid) { record(time, RecordType::switch_, tid); }
  void sample(std::uint64_t time, std::uint32_t tid) {
    in_.record(RecordType::sample, in_.bytes().u64(0x1010).u32(tid).u32(tid).u64(time).u32(0).u32(0), 2);
  }
  std::string write(bool pipe = false) const { return folder_.write("in.data", pipe ? in_.pipe() : in_.file()); }
  std::string path(const std::string& name) const { return folder_.path() / name; }
  Outcome run(options::Arguments arguments) const { return run_command("filter", arguments); }

  // Thread 7 has records at all times, thread 8 early and late, thread 9 around 500.
  void fill() {
    const auto throttle = [&](std::uint64_t time) { return in_.bytes().u64(time).u64(1).u64(1); };
    record(1, RecordType::comm, 7, in_.bytes().u32(7).u32(7).padded("seven"));
    for (std::uint64_t time = 100; time < 1000; time += 100) {
      out(time + 10, 7);
      in(time + 20, 7);
      sample(time + 30, 7);
      record(time + 40, RecordType::lost, 7, in_.bytes().u64(1).u64(3));
      record(time + 50, RecordType::throttle, 7, throttle(time + 50));
      record(time + 51, RecordType::unthrottle, 7, throttle(time + 51));
      record(time + 60, RecordType::lost_samples, 7, in_.bytes().u64(5));
    }
    record(970, RecordType::comm, 7, in_.bytes().u32(7).u32(7).padded("late"));
    in_.round();
    for (const std::uint64_t time : {105u, 205u}) out(time, 8);
    out(290, 9);
    in(540, 9);
    out(905, 8);
    out(910, 9);
    in(950, 9);
    in_.round();
  }

  test::TemporaryDirectory folder_;
  test::RecordingBuilder in_;
};

using Switch = std::pair<std::uint64_t, std::int32_t>;

// From 500 to 600, threads 7 and 9 have switches, thread 8 has none.
const std::vector<Switch> switches_of_500{{290, 9}, {420, 7}, {510, 7}, {520, 7}, {540, 9}, {610, 7}, {910, 9}};

TEST_F(PassingRecords, OutsideOfTheTimesThatAFilterAsksForAreLeftOut) {
  fill();
  for (const bool pipe : {false, true}) {
    const std::string file = write(pipe);
    ASSERT_EQ(run({file, "-o", path("out.data"), "--filter", "time in 500..600 && pid == 7"}).status, done);
    const Passing seen(path("out.data"));
    EXPECT_TRUE(seen.whole);
    EXPECT_THAT(seen.samples, ElementsAre(530));
    EXPECT_EQ(seen.switches, switches_of_500);
    EXPECT_THAT(seen.others, ElementsAre(540, 550, 551, 560));
    EXPECT_EQ(std::ranges::count(seen.types, RecordType::comm), 2);
  }
}

TEST_F(PassingRecords, AreKeptWhereNothingIsSaidOfTheTime) {
  fill();
  const Passing before(write());
  for (const char* expression : {"pid == 7", "pid == 8 || time < 300", "!(pid == 8)"}) {
    ASSERT_EQ(run({path("in.data"), "-o", path("out.data"), "--filter", expression}).status, done);
    const Passing seen(path("out.data"));
    EXPECT_EQ(seen.switches, before.switches) << expression;
    EXPECT_EQ(seen.others, before.others) << expression;
  }
}

TEST_F(PassingRecords, GoToThePartsThatTheirTimesBelongTo) {
  fill();
  ASSERT_EQ(run({write(), "-o", path("out.data"), "--split", "by=time:100ns"}).status, done);
  // The intervals start at the first sample: 130, 230, …
  const Passing seen(path("out.000004.data"));
  EXPECT_THAT(seen.samples, ElementsAre(530));
  EXPECT_THAT(seen.others, ElementsAre(540, 550, 551, 560));
  EXPECT_EQ(seen.switches, (std::vector<Switch>{{290, 9}, {520, 7}, {540, 9}, {610, 7}, {620, 7}, {710, 7}, {910, 9}}));
}

TEST_F(PassingRecords, FollowPerfsFormOfTimes) {
  fill();
  ASSERT_EQ(run({write(), "-o", path("out.data"), "--time", "0.0000005,0.0000006"}).status, done);
  EXPECT_EQ(Passing(path("out.data")).switches, switches_of_500);
}

// A thread moves to another CPU: in a round, the buffer of the new CPU may come first.
TEST_F(PassingRecords, SwitchesAroundTimesAreFoundByTimeNotByTheirOrderInTheFile) {
  for (const std::uint64_t time : {540u, 640u, 660u}) in(time, 7);
  for (const std::uint64_t time : {420u, 440u, 510u, 610u}) out(time, 7);
  sample(530, 7);
  in_.round();
  in(560, 8);
  out(620, 8);
  for (const std::uint64_t time : {450u, 480u}) in(time, 8);
  in_.round();
  ASSERT_EQ(run({write(), "-o", path("out.data"), "--time", "0.0000005,0.0000006"}).status, done);
  EXPECT_EQ(Passing(path("out.data")).switches,
            (std::vector<Switch>{{440, 7}, {480, 8}, {510, 7}, {540, 7}, {560, 8}, {610, 7}, {620, 8}}));
}

TEST_F(PassingRecords, SwitchesAtTheSameTimeAreOrderedByTheirPositions) {
  for (const std::uint64_t time : {400u, 400u, 550u, 700u, 700u}) out(time, 7);
  const filter::TimeRanges range{{.from = 500, .until = 600}};
  const auto recording = reader::Recording::open(write());
  analysis::BorderSwitches borders({&range});
  std::vector<std::uint64_t> positions;
  recording->visit_records([&](const reader::Record& record) {
    if (!analysis::is_switch(record.header.type)) return;
    positions.push_back(record.position);
    borders.look(record, recording->identify(record));
  });
  ASSERT_THAT(positions, SizeIs(5));
  EXPECT_THAT(borders.take(), ElementsAre(ElementsAre(positions[1], positions[3])));
}

// The later switches of each thread come first, over many ranges. The search must not compare all ranges with all
// switches.
TEST_F(PassingRecords, SwitchesAroundManyTimesAreFoundInTheWorstOrder) {
  constexpr std::uint64_t count = 100'000;
  filter::TimeRanges ranges;
  for (std::uint64_t i = 0; i < count; ++i) ranges.push_back({.from = i * 100 + 50, .until = i * 100 + 59});
  analysis::BorderSwitches borders({&ranges});
  // Three switches between two ranges: the earliest is the first after a range, the latest is the last before a range.
  std::vector<std::uint64_t> kept;
  std::uint64_t position = 0;
  for (std::uint64_t i = count; i-- > 0;) {
    for (const std::uint64_t after : {55u, 30u, 20u, 10u}) {
      borders.look({.position = ++position}, {.tid = 7, .time = i * 100 + after});
      if (after == 30 || (after == 10 && i != 0)) kept.push_back(position);
    }
  }
  EXPECT_THAT(borders.take(), ElementsAre(kept));
}

// Regression: each part had all switches, so 50 parts were 50 times as large.
TEST_F(PassingRecords, OfManyCutsAreNoMoreThanThoseOfOne) {
  constexpr std::uint64_t ms = 1'000'000;
  std::vector<analysis::TimeWindow> windows;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    out(i * ms + 10, 7);
    in(i * ms + 20, 7);
    if (i % 10 == 0) sample(i * ms + 30, 7);
    if (i % 400 == 0) windows.push_back({.from = i * ms, .until = (i + 4) * ms, .part = windows.size()});
  }
  in_.round();
  const std::vector<std::byte> file = in_.file();
  const auto recording = reader::Recording::open(folder_.write("in.data", file));
  const auto kept = analysis::samples_in_windows(*recording, windows, windows.size());
  std::vector<output::WrittenPart> parts;
  for (std::size_t i = 0; i < windows.size(); ++i) parts.push_back({.path = path(std::to_string(i)), .part = {}});
  output::PartsWriter(*recording, {}).write(kept, parts);
  std::uint64_t bytes = 0;
  for (const output::WrittenPart& part : parts) bytes += part.bytes;
  EXPECT_LT(bytes, file.size() / 10);
  const Passing seen(path("7"));
  EXPECT_THAT(seen.samples, SizeIs(1));
  EXPECT_THAT(seen.switches, SizeIs(1 + 8 + 1));
}

TEST(IsPassing, WhatNamesAndMapsAreMadeOfIsNot) {
  for (const RecordType type :
       {RecordType::comm, RecordType::mmap, RecordType::mmap2, RecordType::fork, RecordType::exit, RecordType::ksymbol,
        RecordType::sample, RecordType::finished_round, RecordType::aux, RecordType::callchain_deferred}) {
    EXPECT_FALSE(analysis::is_passing(type));
  }
}

}  // namespace
}  // namespace perfsift::tools
