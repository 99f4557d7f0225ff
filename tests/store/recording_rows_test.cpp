#include "store/recording_rows.h"

#include <tuple>
#include <vector>

#include <gmock/gmock.h>

#include "analysis/table/table_builder.h"
#include "base/duration.h"
#include "store/collector.h"
#include "store/engine/row_binary.h"
#include "store/wanted_rows.h"
#include "tests/store/fake_engine.h"

namespace perfsift::store {
namespace {

using analysis::Amount;
using analysis::FrameDetail;
using analysis::FrameKind;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

// A row of the table samples, without its stack.
struct ReadSamples {
  std::string service, event;
  std::uint32_t time = 0;
  Hash128 stack;
  std::string thread, cgroup;
  std::uint64_t load = 0, samples = 0, value = 0;
};

std::vector<ReadSamples> samples_in(const std::string& bytes) {
  std::vector<ReadSamples> rows;
  for (RowReader row(bytes); !row.at_end();) {
    rows.push_back({.service = std::string(row.text()),
                    .event = std::string(row.text()),
                    .time = row.u32(),
                    .stack = row.id(),
                    .thread = std::string(row.text()),
                    .cgroup = std::string(row.text()),
                    .load = row.u64(),
                    .samples = row.u64(),
                    .value = row.u64()});
  }
  return rows;
}

// A profile of main;work and main, twice.
class RecordingRowsTest : public testing::Test {
 protected:
  RecordingRowsTest() {
    const auto binary = profile_.frames().binary({.path = "/bin/x", .build_id = BuildId::from_hex("abcd")});
    const auto file = profile_.frames().file("x.c");
    const auto main =
        profile_.frames().intern("main", {.kind = FrameKind::user, .binary = binary, .file = file, .line = 7});
    const auto work = profile_.frames().intern("work", {.kind = FrameKind::kernel, .binary = binary});
    const analysis::EventId cycles = profile_.event("cycles");
    analysis::StackList& list = profile_.new_list();
    const analysis::FrameId both[] = {main, work}, one[] = {main};
    list.add(cycles, both, {});
    list.add(cycles, one, {});
    list.add(cycles, both, {});
  }

  // A sample with the stack of this number.
  void sample(std::uint32_t stack, std::uint64_t time, std::uint64_t value, const char* thread = "worker") {
    const analysis::SampleRow row{.time = time,
                                  .value = value,
                                  .stack = stack,
                                  .context = builder_.context({.pid = 1, .tid = 1, .comm = thread})};
    builder_.append({&row, 1});
  }
  RecordingRows rows(std::int64_t clock_offset = 0, bool is_folded_text = false) {
    const analysis::SampleTable table = std::move(builder_).seal();
    return rows_of(
        {.id = {.low = 5}, .labels = {{"host", "a"}, {"service", "shop"}}, .path = "p", .began = 1005 * one_second},
        {.profile = profile_,
         .table = table,
         .quality = {},
         .events = {0},
         .clock_offset = clock_offset,
         .is_folded_text = is_folded_text},
        77);
  }

  analysis::Profile profile_;
  analysis::TableBuilder builder_;
};

TEST_F(RecordingRowsTest, SamplesOfOneStackThreadAndTenSecondsAreOneRow) {
  sample(0, 1 * one_second, 10);
  sample(2, 2 * one_second, 20);
  sample(0, 11 * one_second, 40);
  sample(1, 2 * one_second, 80);
  sample(0, 2 * one_second, 160, "other");
  const RecordingRows found = rows(1000 * one_second);
  std::vector<std::tuple<std::uint32_t, std::string, std::uint64_t, std::uint64_t>> sums;
  for (const ReadSamples& row : samples_in(found.samples)) {
    EXPECT_EQ(row.service, "shop");
    EXPECT_EQ(row.event, "cycles");
    EXPECT_EQ(row.load, 77u);
    sums.emplace_back(row.time, row.thread, row.samples, row.value);
  }
  EXPECT_THAT(sums, UnorderedElementsAre(std::tuple(1000, "worker", 2, 30), std::tuple(1010, "worker", 1, 40),
                                         std::tuple(1000, "worker", 1, 80), std::tuple(1000, "other", 1, 160)));
  EXPECT_EQ(found.stacks.rows.size(), 2u);
  EXPECT_EQ(found.functions.rows.size(), 2u);
  EXPECT_EQ(found.sample_count, 5u);
}

TEST_F(RecordingRowsTest, SamplesWithoutATimeHaveThatOfTheRecording) {
  sample(0, reader::no_time, 1);
  EXPECT_EQ(samples_in(rows(123).samples).front().time, 1000u);
}

// The clock of a damaged recording would make a part of the table for each month.
TEST_F(RecordingRowsTest, TimesThatAreYearsApartAreThoseOfTheRecording) {
  sample(0, 0, 1);
  sample(0, 40'000'000 * one_second, 1);
  const auto found = samples_in(rows().samples);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().time, 1000u);
  EXPECT_EQ(found.front().samples, 2u);
}

TEST_F(RecordingRowsTest, TheStackWithoutFramesIsAStack) {
  sample(analysis::SampleRow::no_stack, one_second, 1);
  const RecordingRows found = rows();
  ASSERT_EQ(found.stacks.rows.size(), 1u);
  RowReader row(found.stacks.bytes);
  EXPECT_EQ(row.id(), samples_in(found.samples).front().stack);
  EXPECT_EQ(row.elements(), 0u);
}

// Ids are in the stores of users. A program in Python with the definition of SipHash computes the same.
TEST_F(RecordingRowsTest, IdsNeverChange) {
  sample(0, one_second, 1);
  const RecordingRows found = rows();
  EXPECT_EQ(hex_digits(found.functions.rows.front().id), "ba770cbbbb6d212ee13bdd57ad4e6345");
  EXPECT_EQ(hex_digits(found.stacks.rows.front().id), "d4baf8307fd351f4482bc72bd776dcf5");
}

TEST_F(RecordingRowsTest, TheRecordingHasItsLabels) {
  sample(0, one_second, 3);
  const std::string bytes = rows().recording;
  RowReader row(bytes);
  EXPECT_EQ(row.id(), (Hash128{.low = 5}));
  EXPECT_EQ(row.u64(), 77u);
  EXPECT_FALSE(row.boolean());
  EXPECT_EQ(row.elements(), 2u);
  EXPECT_EQ(row.text(), "host");
  EXPECT_EQ(row.text(), "a");
}

// A store that answers with the rows of one recording.
class StoreOf : public test::FakeEngine {
 public:
  StoreOf(const RecordingRows& rows, std::string sums) {
    answers = {{"FROM functions", rows.functions.bytes},
               {"SELECT id, frames FROM stacks", rows.stacks.bytes},
               {"sum(toUInt128(samples))", std::move(sums)}};
  }
};

// What describe() says of a store with one event.
const StoredRecordings stored_cycles{.state = {}, .events = {{.name = "cycles", .type = {}}}, .quality = {}};

std::string sum_row(const Hash128& stack, std::uint64_t samples, const Hash128& value) {
  std::string bytes;
  RowWriter row(bytes);
  row.text("cycles");
  row.id(stack);
  row.text("worker");
  row.text("");
  row.id({.low = samples});
  row.id(value);
  return bytes;
}

// root first: "worker;main;work 2 30"
std::vector<std::string> lines_of(const analysis::Profile& profile) {
  std::vector<std::string> lines;
  std::vector<analysis::FrameId> frames;
  for (const analysis::StackList::Entry* const stack : profile.stacks()) {
    profile.get_frames(*stack, frames);
    std::string line;
    for (const analysis::FrameId frame : frames) line += std::string(profile.frames().text(frame)) + ";";
    lines.push_back(line + std::to_string(stack->amount.samples) + ";" + std::to_string(stack->amount.value));
  }
  return lines;
}

TEST_F(RecordingRowsTest, AStoredStackComesBack) {
  sample(0, one_second, 30);
  const RecordingRows stored = rows();
  StoreOf engine(stored, sum_row(stored.stacks.rows.front().id, 2, {.low = 30}));
  analysis::Profile profile;
  analysis::StackOptions options;
  options.frames.detail = FrameDetail::function;
  StoreCollector collector(engine, {}, profile, options);
  collector.collect(stored_cycles, [](std::string_view event) { return std::string(event); });
  EXPECT_THAT(lines_of(profile), ElementsAre("worker;main;work;2;30"));
  EXPECT_EQ(collector.kept(), 2u);
  std::vector<analysis::FrameId> frames;
  profile.get_frames(*profile.stacks().front(), frames);
  const analysis::FrameOrigin& main = profile.frames().origin(frames[1]);
  EXPECT_EQ(main.kind, FrameKind::user);
  EXPECT_EQ(main.line, 7u);
  EXPECT_EQ(profile.frames().file_of(frames[1]), "x.c");
  EXPECT_EQ(profile.frames().binary_of(frames[1]), "/bin/x");
  EXPECT_EQ(profile.frames().origin(frames[2]).kind, FrameKind::kernel);
}

TEST_F(RecordingRowsTest, OnlyTheKernelsPartComesBackIfOnlyThatIsWanted) {
  sample(0, one_second, 30);
  sample(1, one_second, 30);
  const RecordingRows stored = rows();
  StoreOf engine(stored,
                 sum_row(stored.stacks.rows[0].id, 2, {.low = 30}) + sum_row(stored.stacks.rows[1].id, 1, {.low = 5}));
  analysis::Profile profile;
  analysis::StackOptions options;
  options.shape.part = analysis::StackPart::kernel_only;
  options.weight = analysis::Weight::samples;
  StoreCollector collector(engine, {}, profile, options);
  collector.collect(stored_cycles, [](std::string_view event) { return std::string(event); });
  EXPECT_THAT(lines_of(profile), ElementsAre("worker;work;2;2"));
  EXPECT_EQ(collector.kept(), 2u);
}

// Folded text shows the kinds of frames by marks, which are not part of names elsewhere.
TEST_F(RecordingRowsTest, MarksOfFoldedTextComeBackInText) {
  sample(0, one_second, 30);
  const RecordingRows stored = rows(0, true);
  StoreOf engine(stored, sum_row(stored.stacks.rows.front().id, 1, {.low = 1}));
  analysis::Profile profile;
  const analysis::StackOptions options;
  StoreCollector collector(engine, {}, profile, options);
  collector.collect(stored_cycles, [](std::string_view event) { return std::string(event); });
  EXPECT_THAT(lines_of(profile), ElementsAre("worker;main;work_[k];1;1"));
}

TEST_F(RecordingRowsTest, HostsAreRunsOfTheRows) {
  sample(0, one_second, 30);
  const RecordingRows stored = rows();
  std::string sums;
  for (const char* const host : {"b", "a"}) {
    RowWriter row(sums);
    row.text("cycles");
    row.id(stored.stacks.rows.front().id);
    row.text("");
    row.text("");
    row.text(host);
    row.id({.low = 1});
    row.id({.low = 30});
  }
  StoreOf engine(stored, sums);
  analysis::Profile profile;
  const analysis::StackOptions options;
  StoreCollector collector(engine, {}, profile, options);
  analysis::TableBuilder builder;
  collector.add_rows_to(builder, 0);
  collector.keep_apart(std::vector<analysis::Run>{{.name = "host=a"}, {.name = "host=b"}});
  collector.collect(stored_cycles, [](std::string_view event) { return std::string(event); });
  const analysis::SampleTable table = std::move(builder).seal(profile);
  ASSERT_EQ(table.sums().size(), 2u);
  EXPECT_EQ(table.sums()[0].run, 1u);
  EXPECT_EQ(table.sums()[1].run, 0u);
}

// Other processes may add to a server at any time.
TEST_F(RecordingRowsTest, AStoreThatChangesWhileItIsReadIsAnError) {
  sample(0, one_second, 30);
  const RecordingRows stored = rows();
  StoreOf engine(stored, sum_row(stored.stacks.rows.front().id, 2, {.low = 30}));
  engine.answers.emplace_back("groupBitXor", "another state");
  analysis::Profile profile;
  const analysis::StackOptions options;
  StoreCollector collector(engine, {}, profile, options);
  EXPECT_THROW(collector.collect(stored_cycles, [](std::string_view event) { return std::string(event); }),
               StoreChanged);
  EXPECT_TRUE(profile.stacks().empty());
}

TEST_F(RecordingRowsTest, WhatAStoreLacksIsAnError) {
  sample(0, one_second, 30);
  const RecordingRows stored = rows();
  const Hash128 stack = stored.stacks.rows.front().id;
  const auto collect = [](const RecordingRows& store_rows, std::string sums) {
    StoreOf engine(store_rows, std::move(sums));
    analysis::Profile profile;
    const analysis::StackOptions options;
    StoreCollector collector(engine, {}, profile, options);
    collector.collect(stored_cycles, [](std::string_view event) { return std::string(event); });
  };
  EXPECT_THROW(collect(stored, sum_row({.low = 1}, 1, {.low = 1})), InputError);
  EXPECT_THROW(collect(stored, sum_row(stack, 1, {.low = 0, .high = 1})), InputError);
  RecordingRows without_functions = stored;
  without_functions.functions.bytes.clear();
  EXPECT_THROW(collect(without_functions, sum_row(stack, 1, {.low = 1})), InputError);
  EXPECT_THROW(collect(stored, sum_row(stack, 1, {.low = 1}).substr(0, 20)), InputError);
}

}  // namespace
}  // namespace perfsift::store
