#include "record/keep/sample_keeper.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "reader/format/abi.h"
#include "reader/recording.h"
#include "tests/record/keep/made_events.h"
#include "tests/support/bytes.h"
#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"

namespace perfsift::record {
namespace {

using test::BytesBuilder;
using test::MadeEvents;
using ::testing::ElementsAre;
namespace bit = reader::sample_bit;

constexpr std::uint32_t comm_record = 3, exit_record = 4, fork_record = 7, sample_record = 9, cgroup_record = 19;
constexpr std::uint64_t timed_fields = bit::identifier | bit::ip | bit::tid | bit::time | bit::period;

KeeperEvent made_event(std::string residual, std::uint64_t sample_type = timed_fields, std::uint64_t id = 1) {
  KeeperEvent event{.ids = {id}, .name = "cycles"};
  event.attr.sample_type = sample_type;
  event.attr.set(reader::attr_flag::sample_id_all);
  event.residual = std::move(residual);
  return event;
}

// Keepers of events that are no tracepoints.
class TestKeeper {
 public:
  explicit TestKeeper(std::vector<KeeperEvent> events) : keeper_(events, formats_) {}
  explicit TestKeeper(std::string residual) : TestKeeper(std::vector{made_event(std::move(residual))}) {}

  SampleKeeper& get() { return keeper_; }
  bool keeps(std::uint32_t type, const BytesBuilder& payload, std::uint16_t misc = 0) {
    return keeper_.keeps(BytesBuilder().record(type, misc, payload.view()).view());
  }
  bool keeps_sample(std::uint32_t tid, std::uint64_t time, std::uint64_t period = 1, std::uint64_t id = 1) {
    return keeps(sample_record, BytesBuilder().u64(id).u64(0x1000).u32(7).u32(tid).u64(time).u64(period), 2);
  }
  void name(std::uint32_t tid, std::string_view name, std::uint64_t time) {
    keeps(comm_record, BytesBuilder().u32(7).u32(tid).padded(name).u32(7).u32(tid).u64(time).u64(1));
  }
  void fork(std::uint32_t tid, std::uint32_t parent, std::uint64_t time) {
    keeps(fork_record, task(tid, parent, time));
  }
  void exit(std::uint32_t tid, std::uint64_t time) { keeps(exit_record, task(tid, tid, time)); }

 private:
  static BytesBuilder task(std::uint32_t tid, std::uint32_t parent, std::uint64_t time) {
    return BytesBuilder().u32(7).u32(7).u32(tid).u32(parent).u64(time).u32(7).u32(tid).u64(time).u64(1);
  }

  const reader::TracepointFormats formats_ = reader::TracepointFormats::describe({});
  SampleKeeper keeper_;
};

TEST(SampleKeeper, DropsSamplesForWhichTheExpressionIsFalse) {
  TestKeeper keeper("period > 5 && cpumode == user");
  EXPECT_TRUE(keeper.keeps_sample(8, 100, 6));
  EXPECT_FALSE(keeper.keeps_sample(8, 100, 5));
  EXPECT_EQ(keeper.get().counts()[0].kept, 1U);
  EXPECT_EQ(keeper.get().counts()[0].dropped, 1U);
  EXPECT_EQ(keeper.get().not_understood(), 0U);
}

TEST(SampleKeeper, ANameCountsFromTheTimeOfItsRecord) {
  TestKeeper keeper(R"(comm == "worker")");
  keeper.name(8, "worker", 0);  // synthesised
  EXPECT_TRUE(keeper.keeps_sample(8, 100));
  keeper.name(8, "idle", 200);
  EXPECT_TRUE(keeper.keeps_sample(8, 199));  // from another ring, and late
  EXPECT_FALSE(keeper.keeps_sample(8, 200));
  keeper.name(8, "worker", 300);
  EXPECT_FALSE(keeper.keeps_sample(8, 299));
  EXPECT_TRUE(keeper.keeps_sample(8, 301));
}

TEST(SampleKeeper, ARecordOfANameThatComesLateDoesNotReplaceANewerName) {
  TestKeeper keeper(R"(comm == "worker")");
  keeper.name(8, "worker", 300);
  keeper.name(8, "idle", 200);
  EXPECT_TRUE(keeper.keeps_sample(8, 300));
  EXPECT_FALSE(keeper.keeps_sample(8, 250));
}

TEST(SampleKeeper, AThreadHasTheNameOfTheThreadThatStartedIt) {
  TestKeeper keeper(R"(comm == "parent")");
  keeper.name(8, "parent", 100);
  keeper.fork(9, 8, 200);
  EXPECT_TRUE(keeper.keeps_sample(9, 201));
  keeper.name(9, "child", 300);
  EXPECT_TRUE(keeper.keeps_sample(9, 250));
  EXPECT_FALSE(keeper.keeps_sample(9, 301));
}

TEST(SampleKeeper, ANumberThatIsGivenToAnotherThreadHasItsName) {
  TestKeeper keeper(R"(comm == "new")");
  keeper.name(8, "new", 100);
  keeper.name(9, "old", 100);
  keeper.exit(9, 200);
  EXPECT_FALSE(keeper.keeps_sample(9, 201));  // a thread that ends still runs for a moment
  keeper.fork(9, 8, 300);
  EXPECT_TRUE(keeper.keeps_sample(9, 301));
}

// machine__init() in tools/perf/util/machine.c, and thread__comm_str().
TEST(SampleKeeper, ThreadsWithoutANameHaveTheNamesThatPerfPrints) {
  EXPECT_TRUE(TestKeeper(R"(comm == ":1234")").keeps_sample(1234, 100));
  EXPECT_TRUE(TestKeeper(R"(comm == "swapper")").keeps_sample(0, 100));
}

TEST(SampleKeeper, ManyNamesDoNotFillTheMemoryAndAreNotConfused) {
  TestKeeper keeper(R"(comm =~ "0$")");
  keeper.name(8, "x0", 0);
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    const std::uint64_t time = i + 1;
    keeper.name(9, "n" + std::to_string(i), time);
    if (i % 997 != 0) continue;
    ASSERT_EQ(keeper.keeps_sample(9, time), i % 10 == 0) << i;
  }
  EXPECT_TRUE(keeper.keeps_sample(8, 300'000));
}

TEST(SampleKeeper, ACgroupHasThePathOfItsRecord) {
  TestKeeper keeper({made_event(R"(cgroup == "/a/*")", bit::identifier | bit::tid | bit::time | bit::cgroup)});
  keeper.keeps(cgroup_record, BytesBuilder().u64(55).padded("/a/b").u32(7).u32(8).u64(0).u64(1));
  const auto sample = [](std::uint64_t cgroup) { return BytesBuilder().u64(1).u32(7).u32(8).u64(100).u64(cgroup); };
  EXPECT_TRUE(keeper.keeps(sample_record, sample(55)));
  EXPECT_FALSE(keeper.keeps(sample_record, sample(56)));
}

TEST(SampleKeeper, EachEventHasItsOwnExpression) {
  KeeperEvent none = made_event("", timed_fields, 3);
  none.drops_all = true;
  TestKeeper keeper({made_event("period > 5"), made_event("", timed_fields, 2), none});
  EXPECT_FALSE(keeper.keeps_sample(8, 100, 1, 1));
  EXPECT_TRUE(keeper.keeps_sample(8, 100, 1, 2));
  EXPECT_FALSE(keeper.keeps_sample(8, 100, 1, 3));
  EXPECT_EQ(keeper.get().counts()[2].dropped, 1U);
}

TEST(SampleKeeper, FieldsOfTracepointsComeFromRawData) {
  const MadeEvents made;
  const auto formats = tracepoint_formats({MadeEvents::kinds()}, made.sources());
  KeeperEvent event = made_event(R"(path =~ "^/bin/" && delta == -2)", bit::identifier | bit::raw);
  event.attr.type = 2;
  event.attr.config = 900;
  SampleKeeper keeper({event}, formats);
  const auto keeps = [&](std::uint16_t delta, std::string_view path) {
    BytesBuilder raw;
    raw.u32(900).u32(7).u8(1).u8(2).u16(delta).u32(0).u64(0).u32(48 | static_cast<std::uint32_t>(path.size() + 1)
                                                                          << 16);
    raw.zeros(20).text(path).zeros(1);
    const auto payload = BytesBuilder().u64(1).u32(static_cast<std::uint32_t>(raw.size())).bytes(raw.view()).take();
    return keeper.keeps(BytesBuilder().record(sample_record, 2, payload).view());
  };
  EXPECT_TRUE(keeps(0xfffe, "/bin/sh"));
  EXPECT_FALSE(keeps(0xfffd, "/bin/sh"));
  EXPECT_FALSE(keeps(0xfffe, "/usr/bin/sh"));
}

// A place or a length in the raw data that lies outside.
TEST(SampleKeeper, TextsOutsideOfTheRawDataAreEmpty) {
  const MadeEvents made;
  const auto formats = tracepoint_formats({MadeEvents::kinds()}, made.sources());
  KeeperEvent event = made_event(R"(path == "x")", bit::identifier | bit::raw);
  event.attr.type = 2;
  event.attr.config = 900;
  SampleKeeper keeper({event}, formats);
  for (const std::uint32_t place : {0xffffU, 0xffff0030U, 0x00010030U, 0xffffffffU}) {
    const auto payload = BytesBuilder().u64(1).u32(48).zeros(24).u32(place).zeros(20).take();
    EXPECT_FALSE(keeper.keeps(BytesBuilder().record(sample_record, 2, payload).view())) << place;
  }
}

TEST(SampleKeeper, FieldsBehindTheLastOneThatIsNeededAreNotDecoded) {
  const std::uint64_t type = bit::identifier | bit::period | bit::callchain | bit::raw;
  const auto payload = BytesBuilder().u64(1).u64(6).u64(1'000'000).take();  // a callchain that is too long
  const auto record = BytesBuilder().record(sample_record, 2, payload).take();
  TestKeeper early({made_event("period > 5", type)});
  EXPECT_TRUE(early.get().keeps(record));
  EXPECT_EQ(early.get().not_understood(), 0U);
  TestKeeper late({made_event("period > 9 || raw_size > 5", type)});
  EXPECT_TRUE(late.get().keeps(record));
  EXPECT_EQ(late.get().not_understood(), 1U);
}

TEST(SampleKeeper, SamplesThatAreNotUnderstoodAreKeptAndCounted) {
  TestKeeper keeper({made_event("period > 5"), made_event("period > 5", timed_fields, 2)});
  EXPECT_TRUE(keeper.keeps_sample(8, 100, 1, 77));                         // of no event
  EXPECT_TRUE(keeper.keeps(sample_record, BytesBuilder().u64(1).u64(2)));  // too short
  const auto record = BytesBuilder().record(sample_record, 0, BytesBuilder().u64(1).view()).take();
  EXPECT_TRUE(keeper.get().keeps(Bytes(record).first(12)));  // cut
  EXPECT_TRUE(keeper.get().keeps(Bytes(record).first(3)));
  EXPECT_TRUE(keeper.get().keeps({}));
  EXPECT_EQ(keeper.get().not_understood(), 5U);
}

TEST(SampleKeeper, AnyPrefixAndAnySizeOfASampleIsSafe) {
  const std::uint64_t type = bit::identifier | bit::tid | bit::time | bit::read | bit::callchain | bit::raw |
                             bit::branch_stack | bit::regs_user | bit::stack_user | bit::weight | bit::cgroup |
                             bit::aux;
  KeeperEvent event = made_event(R"(comm == "x" && weight > 5 && cgroup_id == 5 && raw_size > 1)", type);
  event.attr.read_format = reader::read_format::group | reader::read_format::id;
  event.attr.sample_regs_user = 0xff;
  TestKeeper keeper({event});
  for (const std::uint64_t word : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{0x10000},
                                   ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
    for (std::size_t words = 0; words < 40; ++words) {
      BytesBuilder payload;
      for (std::size_t i = 0; i < words; ++i) payload.u64(i == 0 ? 1 : word);
      keeper.keeps(sample_record, payload, 2);
      keeper.keeps(comm_record, payload);
      keeper.keeps(fork_record, payload);
      keeper.keeps(cgroup_record, payload);
    }
  }
  EXPECT_GT(keeper.get().not_understood(), 0U);
}

TEST(SampleKeeper, RunsOfKeptRecordsAreGivenAtOnce) {
  TestKeeper keeper("period > 5");
  BytesBuilder records;
  std::vector<std::size_t> ends;
  for (const std::uint64_t period : {1, 6, 7, 2, 3, 8}) {
    const auto payload = BytesBuilder().u64(1).u64(0).u32(7).u32(8).u64(100).u64(period).take();
    records.record(sample_record, 2, payload);
    ends.push_back(records.size());
  }
  records.record(5, 0, BytesBuilder().zeros(24).view());  // THROTTLE
  std::vector<std::pair<std::size_t, std::size_t>> runs;
  keeper.get().kept_runs(records.view(),
                         [&](Bytes run) { runs.emplace_back(run.data() - records.view().data(), run.size()); });
  EXPECT_THAT(runs, ElementsAre(std::pair(ends[0], ends[2] - ends[0]), std::pair(ends[4], records.size() - ends[4])));
}

TEST(SampleKeeper, BytesThatAreNoRecordEndTheRuns) {
  TestKeeper keeper("period > 5");
  const auto sample = BytesBuilder().u64(1).u64(0).u32(7).u32(8).u64(100).u64(1).take();
  BytesBuilder records;
  records.record(sample_record, 2, sample).u32(9).u16(0).u16(0).zeros(16);
  std::vector<std::size_t> sizes;
  keeper.get().kept_runs(records.view(), [&](Bytes run) { sizes.push_back(run.size()); });
  EXPECT_THAT(sizes, ElementsAre(24));
  EXPECT_EQ(keeper.get().not_understood(), 1U);
}

TEST(SampleKeeper, AResidualThatIsNoExpressionIsRefused) { EXPECT_THROW(TestKeeper("period >"), UsageError); }

// PERF_RECORD_LOST_SAMPLES with PERF_RECORD_MISC_LOST_SAMPLES_BPF, as perf record writes it for its BPF filters.
TEST(SampleKeeper, DroppedSamplesAreTakenOnce) {
  TestKeeper keeper({made_event("period > 5"), made_event("period > 5", timed_fields, 2)});
  keeper.keeps_sample(8, 100, 1, 2);
  keeper.keeps_sample(8, 100, 2, 2);
  keeper.keeps_sample(8, 100, 9, 1);
  const auto trailer = BytesBuilder().u64(2).u32(0).u32(0).u64(0).u64(2);
  EXPECT_EQ(keeper.get().take_dropped(), BytesBuilder().record(13, 1 << 15, trailer.view()).take());
  EXPECT_TRUE(keeper.get().take_dropped().empty());
  EXPECT_EQ(keeper.get().counts()[1].dropped, 2U);
}

TEST(SampleKeeper, ReadersCountDroppedSamplesApartFromLostOnes) {
  TestKeeper keeper("period > 5");
  for (int i = 0; i < 3; ++i) keeper.keeps_sample(8, 100, 1);
  test::RecordingBuilder builder;
  builder.event({.sample_type = timed_fields, .flags = test::sample_id_all}, {1});
  const auto dropped = keeper.get().take_dropped();
  builder.raw(dropped);
  const test::TemporaryDirectory folder;
  const auto recording = reader::Recording::open(folder.write("perf.data", builder.file()));
  recording->visit_records([](const reader::Record&) {});
  EXPECT_EQ(recording->stats().losses.bpf_dropped_samples, 3U);
  EXPECT_EQ(recording->stats().losses.lost_samples, 0U);
}

}  // namespace
}  // namespace perfsift::record
