// Turns samples into stacks, on recordings made by hand. All binaries are missing, so all frames are [unknown].

#include "analysis/collect/stack_collector.h"

#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"

namespace perfsift::analysis {
namespace {

using reader::RecordType;
using test::RecordingBuilder;
using test::user_mode;
namespace bit = reader::sample_bit;
namespace context = reader::callchain_context;

constexpr std::uint64_t freq = 1u << 10;  // in attr.flags

using Values = std::map<std::string, std::uint64_t>;

class StackCollectorTest : public ::testing::Test {
 protected:
  // The stacks as lines, with the sums of their values.
  Values collected(std::vector<std::byte> bytes, const StackOptions& options = {}) {
    const auto recording = reader::Recording::open(directory_.write("data", bytes));
    symbolize::Symbolizer symbolizer;
    Profile profile;
    StackCollector collector(
        *recording, symbolizer, profile, options, [this](const reader::Event& event) { return keep_(event); }, filter_);
    TableBuilder rows({.in_order = true});
    collector.add_rows_to(rows);
    collector.collect(2);
    table_ = std::move(rows).seal(profile);
    counts_ = collector.counts();
    Values values;
    std::vector<FrameId> frames;
    for (const StackList& list : profile.lists()) {
      for (const StackList::Entry& entry : list.entries()) {
        profile.get_frames(entry, frames);
        std::string text;
        for (const FrameId frame : frames) text.append(text.empty() ? "" : ";").append(profile.frames().text(frame));
        values[text] += entry.amount.value;
        stacks_.push_back(text);
      }
      if (list.frameless().value != 0) values[""] += list.frameless().value;
    }
    return values;
  }

  test::TemporaryDirectory directory_;
  filter::Filter filter_;
  StackCollector::KeepEvent keep_ = [](const reader::Event&) { return "event"; };
  CollectCounts counts_;
  SampleTable table_;
  std::vector<std::string> stacks_;  // by number
};

// A sample with the first fields of every event of these tests: {ip, pid and tid, time}.
test::BytesBuilder sample(std::uint32_t tid = 7) {
  return std::move(test::BytesBuilder().u64(0x1000).u32(7).u32(tid).u64(10));
}
constexpr std::uint64_t basic = bit::ip | bit::tid | bit::time;

TEST_F(StackCollectorTest, ThePeriodOfASampleIsTheOneRecorded) {
  RecordingBuilder in;
  in.event({.sample_period = 4000, .sample_type = basic | bit::period, .flags = freq});
  in.record(RecordType::sample, sample().u64(30), user_mode).record(RecordType::sample, sample().u64(12), user_mode);
  EXPECT_EQ(collected(in.file()), (Values{{":7;[unknown]", 42}}));
  EXPECT_EQ(collected(in.file(), {.weight = Weight::samples}), (Values{{":7;[unknown]", 2}}));
}

TEST_F(StackCollectorTest, APeriodOfZeroCountsOnce) {
  RecordingBuilder in;
  in.event({.sample_type = basic | bit::period});
  in.record(RecordType::sample, sample().u64(0), user_mode);
  EXPECT_EQ(collected(in.file()), (Values{{":7;[unknown]", 1}}));
}

TEST_F(StackCollectorTest, APeriodThatWasAskedForIsThatOfEachSample) {
  RecordingBuilder in;
  in.event({.sample_period = 4000, .sample_type = basic});
  in.record(RecordType::sample, sample(), user_mode).record(RecordType::sample, sample(), user_mode);
  EXPECT_EQ(collected(in.file()), (Values{{":7;[unknown]", 8000}}));
}

// attr.sample_period is the same field as attr.sample_freq: 4000 Hz is not a period.
TEST_F(StackCollectorTest, AFrequencyIsNoPeriod) {
  RecordingBuilder in;
  in.event({.sample_period = 4000, .sample_type = basic, .flags = freq});
  in.record(RecordType::sample, sample(), user_mode).record(RecordType::sample, sample(), user_mode);
  EXPECT_EQ(collected(in.file()), (Values{{":7;[unknown]", 2}}));
}

// thread__comm_str() in tools/perf/util/thread.c and machine__findnew_thread(): ":TID" for threads without a name.
TEST_F(StackCollectorTest, ThreadsWithoutANameAreToldApartByTheirNumber) {
  RecordingBuilder in;
  in.event({.sample_type = basic});
  for (const std::uint32_t tid : {7, 8, 7}) in.record(RecordType::sample, sample(tid), user_mode);
  EXPECT_EQ(collected(in.file()), (Values{{":7;[unknown]", 2}, {":8;[unknown]", 1}}));
  EXPECT_EQ(collected(in.file(), {.comm = false}), (Values{{"[unknown]", 3}}));
}

TEST_F(StackCollectorTest, SamplesOfOneNameAreAddedUpWhateverTheirThread) {
  RecordingBuilder in;
  in.timed_event().comm_at(1, 7, "app").comm_at(2, 8, "app");
  for (const std::uint32_t tid : {7, 8}) in.record(RecordType::sample, sample(tid), user_mode);
  EXPECT_EQ(collected(in.file()), (Values{{"app;[unknown]", 2}}));
  EXPECT_EQ(collected(in.file(), {.tid = true}), (Values{{"app-7/7;[unknown]", 1}, {"app-7/8;[unknown]", 1}}));
}

TEST_F(StackCollectorTest, ANameIsTheOneAtTheTimeOfTheSample) {
  RecordingBuilder in;
  in.timed_event().comm_at(1, 7, "before").sample_at(2).sample_at(3).comm_at(4, 7, "after").sample_at(5);
  EXPECT_EQ(collected(in.file()), (Values{{"before;[unknown]", 2}, {"after;[unknown]", 1}}));
}

TEST_F(StackCollectorTest, EachSampleIsARowWithItsThreadAndStack) {
  RecordingBuilder in;
  in.timed_event().comm_at(1, 7, "before").sample_at(2).sample_at(3).comm_at(4, 7, "after").sample_at(5).sample_at(9);
  filter_ = filter::Filter::parse("time < 9ns");
  collected(in.file());
  ASSERT_EQ(table_.samples().size(), 3u);
  std::vector<std::string> lines;
  for (const SampleRow& sample : table_.samples()) {
    const SampleContext& thread = table_.contexts()[sample.context];
    lines.push_back(std::to_string(sample.time) + ' ' + thread.comm + ' ' + std::to_string(thread.tid) + ' ' +
                    stacks_.at(sample.stack) + ' ' + std::to_string(sample.value));
  }
  EXPECT_EQ(lines, (std::vector<std::string>{"2 before 7 before;[unknown] 1", "3 before 7 before;[unknown] 1",
                                             "5 after 7 after;[unknown] 1"}));
}

// perf report --sort tgid prints this name (hist_entry__tgid_snprintf()).
TEST_F(StackCollectorTest, TheTableNamesProcessesAsTheirFirstThreadIsNamedAtTheEnd) {
  RecordingBuilder in;
  in.timed_event().comm_at(1, 7, "before").sample_at(2).comm_at(4, 7, "after");
  collected(in.file());
  EXPECT_EQ(table_.contexts().front().comm, "before");
  EXPECT_EQ(table_.process_names(), (std::map<std::int32_t, std::string>{{7, "after"}}));
}

// Short callchains are counted separately from their leaves, and a callchain may have several leaves.
TEST_F(StackCollectorTest, StacksOfRowsAreThoseOfTheirSamples) {
  RecordingBuilder in;
  in.event({.sample_type = basic | bit::callchain});
  std::vector<std::uint64_t> leaves;
  for (std::uint64_t i = 0; i < 500; ++i) {
    leaves.push_back(0x1000 + i % 3);
    auto bytes = in.bytes().u64(leaves.back()).u32(7).u32(7).u64(i).u64(3).u64(context::user).u64(leaves.back());
    in.record(RecordType::sample, bytes.u64(i % 2 == 0 ? 0x2000 : 0x3000), user_mode);
  }
  collected(in.file(), {.comm = false, .frames = {.addresses = true}});
  ASSERT_EQ(table_.samples().size(), 500u);
  for (std::uint64_t i = 0; i < 500; ++i) {
    const std::string caller = i % 2 == 0 ? "[unknown+0x2000]" : "[unknown+0x3000]";
    EXPECT_EQ(stacks_.at(table_.samples()[i].stack), fmt::format("{};[unknown+0x100{}]", caller, i % 3)) << i;
  }
}

TEST_F(StackCollectorTest, ARowWithoutFramesHasNoStack) {
  RecordingBuilder in;
  in.event({.sample_type = bit::tid | bit::time});
  in.record(RecordType::sample, in.bytes().u32(7).u32(7).u64(10), user_mode);
  EXPECT_EQ(collected(in.file(), {.comm = false}), (Values{{"", 1}}));
  ASSERT_EQ(table_.samples().size(), 1u);
  EXPECT_EQ(table_.samples()[0].stack, SampleRow::no_stack);
  EXPECT_EQ(table_.samples()[0].value, 1u);
}

TEST_F(StackCollectorTest, OnlySamplesThatTheFilterKeepsAreCounted) {
  RecordingBuilder in;
  in.timed_event().comm_at(1, 7, "before").sample_at(2).sample_at(3).comm_at(4, 7, "after").sample_at(5);
  filter_ = filter::Filter::parse("comm == 'before' && time > 2ns");
  EXPECT_EQ(collected(in.file()), (Values{{"before;[unknown]", 1}}));
  EXPECT_EQ(counts_.samples, 1u);
}

TEST_F(StackCollectorTest, WithoutCallchainAndAddressTheThreadIsAllThereIs) {
  RecordingBuilder in;
  in.event({.sample_type = bit::tid | bit::time});
  in.record(RecordType::sample, in.bytes().u32(7).u32(7).u64(10), user_mode);
  EXPECT_EQ(collected(in.file()), (Values{{":7", 1}}));
}

TEST_F(StackCollectorTest, ContextMarkersAreNoFrames) {
  RecordingBuilder in;
  in.event({.sample_type = basic | bit::callchain});
  in.record(RecordType::sample, sample().u64(3).u64(context::user).u64(0x1000).u64(0x2000), user_mode);
  in.record(RecordType::sample, sample().u64(1).u64(context::user), user_mode);
  EXPECT_EQ(collected(in.file(), {.comm = false}), (Values{{"[unknown];[unknown]", 1}, {"[unknown]", 1}}));
  EXPECT_EQ(counts_.samples, 2u);
  EXPECT_EQ(counts_.callchains, 2u);
  EXPECT_EQ(counts_.frames, 3u);  // without a frame, the ip is the frame
}

TEST_F(StackCollectorTest, SamplesOfEventsThatAreNotKeptAreNotCounted) {
  RecordingBuilder in;
  in.event({.sample_type = bit::identifier | basic}, {21}).event({.sample_type = bit::identifier | basic}, {22});
  for (const std::uint64_t id : {21, 22, 22}) {
    in.record(RecordType::sample, in.bytes().u64(id).bytes(sample().view()), user_mode);
  }
  keep_ = [](const reader::Event& event) { return event.index == 1 ? std::optional<std::string>("x") : std::nullopt; };
  EXPECT_EQ(collected(in.file()), (Values{{":7;[unknown]", 2}}));
  EXPECT_EQ(counts_.samples, 2u);
}

TEST_F(StackCollectorTest, ASampleWithNothingOfTheWantedPartIsCountedButLeftOut) {
  RecordingBuilder in;
  in.event({.sample_type = basic});
  in.record(RecordType::sample, sample(), user_mode);
  EXPECT_EQ(collected(in.file(), {.shape = {.part = StackPart::kernel_only}}), Values{});
  EXPECT_EQ(counts_.samples, 1u);
  EXPECT_EQ(counts_.without_stack, 1u);
}

// Leaves and callers are counted separately, and the result must join them to one stack.
TEST_F(StackCollectorTest, TheShapeOfAStackIsThatOfLeafAndCallersTogether) {
  RecordingBuilder in;
  in.event({.sample_type = basic | bit::callchain});
  const auto chain = [](std::initializer_list<std::uint64_t> entries) {
    test::BytesBuilder bytes = sample().u64(entries.size());
    for (const std::uint64_t entry : entries) bytes.u64(entry);
    return bytes;
  };
  in.record(RecordType::sample, chain({context::kernel, 0x10, context::user, 0x1000, 0x2000}), test::kernel_mode);
  in.record(RecordType::sample, chain({context::kernel, 0x10, 0x20, context::user, 0x1000}), test::kernel_mode);
  in.record(RecordType::sample, chain({context::user, 0x1000, 0x2000, 0x3000}), user_mode);
  const auto stacks = [&](const StackShape& shape) { return collected(in.file(), {.comm = false, .shape = shape}); };

  EXPECT_EQ(stacks({}), (Values{{"[unknown];[unknown];[unknown]", 3}}));
  EXPECT_EQ(counts_.frames, 9u);
  EXPECT_EQ(stacks({.delimiter = "-"}), (Values{{"[unknown];[unknown];-;[unknown]", 1},
                                                {"[unknown];-;[unknown];[unknown]", 1},
                                                {"[unknown];[unknown];[unknown]", 1}}));
  EXPECT_EQ(stacks({.max_depth = 2}), (Values{{"[unknown];[unknown]", 3}}));
  EXPECT_EQ(stacks({.max_depth = 3, .delimiter = "-"}),
            (Values{{"[unknown];[unknown];-", 1}, {"[unknown];-;[unknown]", 1}, {"[unknown];[unknown];[unknown]", 1}}));
  EXPECT_EQ(stacks({.part = StackPart::user_only}),
            (Values{{"[unknown];[unknown]", 1}, {"[unknown]", 1}, {"[unknown];[unknown];[unknown]", 1}}));
  EXPECT_EQ(counts_.frames, 6u);
  EXPECT_EQ(stacks({.part = StackPart::kernel_only}), (Values{{"[unknown]", 1}, {"[unknown];[unknown]", 1}}));
  EXPECT_EQ(counts_.frames, 3u);
  EXPECT_EQ(counts_.without_stack, 1u);
  ASSERT_EQ(counts_.remarks.size(), 2u);
  EXPECT_EQ(counts_.remarks[1], counts_.frames);
}

TEST_F(StackCollectorTest, AStreamGivesWhatAFileGives) {
  RecordingBuilder in;
  in.event({.sample_type = basic | bit::callchain, .flags = test::sample_id_all});
  in.comm_at(1, 7, "app");
  for (std::uint64_t i = 0; i < 100; ++i) {
    in.record(RecordType::sample, sample().u64(2).u64(context::user).u64(0x1000 + i % 3), user_mode);
  }
  EXPECT_EQ(collected(in.file()), (Values{{"app;[unknown]", 100}}));
  EXPECT_EQ(collected(test::gzip(in.pipe())), (Values{{"app;[unknown]", 100}}));
}

}  // namespace
}  // namespace perfsift::analysis
