// Leaves, and samples as columns.

#include "analysis/selection/sample_table.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/selection/gaps.h"
#include "analysis/selection/row_set.h"

namespace perfsift::analysis {
namespace {

using ::testing::ElementsAre;

// Stacks of two functions on three lines, and samples of two threads on two CPUs:
//
//   time   thread  CPU  stack     value
//   100    7/8     0    main:10   1
//   200    7/8     1    main:11   2
//   300    7/9     0    main;f:5  4
//   300    7/8     0    main:10   8      of the event "faults"
//   none   7/9     1    main;f:5  16
class Selected : public ::testing::Test {
 protected:
  Selected() {
    const std::uint32_t file = profile_.frames().file("a.c");
    const auto frame = [&](std::string_view name, std::uint32_t line) {
      return profile_.frames().intern(name, {.kind = FrameKind::user, .file = file, .line = line});
    };
    const FrameId main_10 = frame("main", 10), main_11 = frame("main", 11), f_5 = frame("f", 5);
    log({.time = 300, .context = log_.context({.pid = 7, .tid = 9, .comm = "old", .cgroup = {}}), .cpu = 0},
        {main_11, f_5}, 4);
    log({.time = 100, .context = log_.context({.pid = 7, .tid = 8, .comm = "a", .cgroup = {}}), .cpu = 0}, {main_10},
        1);
    log({.time = 200, .context = log_.context({.pid = 7, .tid = 8, .comm = "b", .cgroup = {}}), .cpu = 1}, {main_11},
        2);
    log({.time = 300, .context = log_.context({.pid = 7, .tid = 8, .comm = "b", .cgroup = {}}), .cpu = 0}, {main_10}, 8,
        "faults");
    log({.context = log_.context({.pid = 7, .tid = 9, .comm = "new", .cgroup = {}}), .cpu = 1}, {main_10, f_5}, 16);
    log_.sort_by_time();
  }

  void log(LoggedSample sample, const std::vector<FrameId>& frames, std::uint64_t value,
           std::string_view event = "cycles") {
    sample.event = profile_.event(event);
    sample.value = value;
    sample.stack = static_cast<std::uint32_t>(list_.entries().size());
    list_.add(sample.event, frames, {.samples = 1, .value = value});
    log_.append({&sample, 1});
  }

  Profile profile_;
  SampleLog log_;
  StackList& list_ = profile_.new_list();
};

TEST_F(Selected, ATreeByFunctionHasOneNodeForAllLines) {
  const CallTree tree(profile_, {.event_frames = false, .by_function = true}, 1);
  ASSERT_EQ(tree.size(), 3u);
  EXPECT_EQ(profile_.frames().text(tree.frame(1)), "main");
  EXPECT_EQ(profile_.frames().text(tree.frame(2)), "f");
  EXPECT_EQ(CallTree(profile_, {.event_frames = false}, 1).size(), 5u);
}

TEST_F(Selected, LeavesKeepTheLines) {
  const CallTree tree(profile_, {.event_frames = false, .by_function = true}, 1);
  const LeafTable leaves(tree);
  ASSERT_EQ(leaves.size(), 4u);  // with that of stacks without frames
  EXPECT_EQ(leaves[LeafTable::frameless].node, CallTree::root);
  EXPECT_EQ(leaves[1].node, 1u);
  EXPECT_EQ(profile_.frames().origin(leaves[1].frame).line, 10u);
  EXPECT_EQ(profile_.frames().origin(leaves[2].frame).line, 11u);
  EXPECT_EQ(leaves[3].node, 2u);
  EXPECT_EQ(leaves.of_stack(1), 1u);
  EXPECT_EQ(leaves.of_stack(0), leaves.of_stack(4));
  EXPECT_EQ(leaves.of_stack(LoggedSample::no_stack), LeafTable::frameless);
}

TEST_F(Selected, RowsAreByThreadAndTime) {
  const CallTree tree(profile_, {.event_frames = false, .by_function = true}, 1);
  const LeafTable leaves(tree);
  const SampleTable table(log_, leaves);
  ASSERT_EQ(table.threads().size(), 2u);
  EXPECT_EQ(table.threads()[0].tid, 8);
  EXPECT_EQ(table.threads()[0].comm, "b");
  EXPECT_EQ(table.threads()[1].comm, "new");
  EXPECT_EQ(table.threads()[1].begin, 3u);
  EXPECT_EQ(table.threads()[1].timed_end, 4u);
  EXPECT_EQ(table.threads()[1].end, 5u);
  EXPECT_THAT(table.cpus(), ElementsAre(0, 1));
  EXPECT_THAT(table.times, ElementsAre(100, 200, 300, 300, reader::no_time));
  EXPECT_THAT(table.values, ElementsAre(1, 2, 8, 4, 16));
  EXPECT_THAT(table.cpu_numbers, ElementsAre(0, 1, 0, 0, 1));
  EXPECT_EQ(table.first_time(), 100u);
  EXPECT_EQ(table.last_time(), 300u);
}

// Samples of three threads at a few times, some of them equal, and some without a time.
std::vector<LoggedSample> some_samples(SampleLog& log) {
  std::vector<LoggedSample> samples;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const auto tid = static_cast<std::int32_t>(i * 7 % 3);
    samples.push_back({.time = i % 100 == 7 ? reader::no_time : std::uint64_t{i} / 2,
                       .value = i % 11,
                       .position = std::uint64_t{i} * 8,
                       .context = log.context({.pid = 7, .tid = tid, .comm = i < 1500 ? "early" : "late"}),
                       .cpu = static_cast<std::int32_t>(i % 5) - 1,
                       .event = i % 2});
  }
  return samples;
}

// In order, in two runs, and in no order at all.
TEST_F(Selected, NeitherTheOrderOfTheLogNorThreadsMatter) {
  const CallTree tree(profile_, {}, 1);
  const LeafTable leaves(tree);
  SampleLog in_order, in_runs, shuffled;
  in_order.append(some_samples(in_order));
  std::vector<LoggedSample> runs = some_samples(in_runs), mixed = some_samples(shuffled);
  std::stable_partition(runs.begin(), runs.end(), [](const LoggedSample& sample) { return sample.position % 3 == 0; });
  for (std::size_t i = 0; i < mixed.size(); ++i) std::swap(mixed[i], mixed[i * 7919 % mixed.size()]);
  in_runs.append(runs);
  shuffled.append(mixed);
  const SampleTable expected(in_order, leaves);
  for (const SampleLog* const log : {&in_order, &in_runs, &shuffled}) {
    for (const unsigned threads : {1U, 5U}) {
      const SampleTable table(*log, leaves, threads);
      EXPECT_EQ(table.times, expected.times);
      EXPECT_EQ(table.positions, expected.positions);
      EXPECT_EQ(table.values, expected.values);
      EXPECT_EQ(table.cpu_numbers, expected.cpu_numbers);
      EXPECT_EQ(table.events, expected.events);
      ASSERT_EQ(table.threads().size(), 3u);
      EXPECT_EQ(table.threads()[1].comm, "late");
      EXPECT_EQ(table.threads()[1].timed_end, expected.threads()[1].timed_end);
    }
  }
  EXPECT_EQ(expected.last_time(), 1499u);
}

TEST(RowSet, BitsOfRows) {
  RowSet rows(70);
  for (const std::uint32_t row : {0u, 3u, 64u, 69u}) rows.add(row);
  EXPECT_THAT(rows.words(), ElementsAre(0b1001, 0b100001));
}

TEST_F(Selected, ALossBeginsWithTheLastSampleOfItsCpu) {
  const CallTree tree(profile_, {}, 1);
  const LeafTable leaves(tree);
  const SampleTable table(log_, leaves);
  const reader::LostAt lost[] = {{.time = 290, .cpu = 1, .records = 5},
                                 {.time = 250, .cpu = 0, .samples = 6},
                                 {.time = 250, .cpu = -1, .records = 7},
                                 {.time = 50, .cpu = 0, .records = 8},
                                 {.records = 9}};
  const reader::ThrottleWindow throttled[] = {{.cpu = 1, .from = 120, .until = 130},
                                              {.cpu = 0, .from = 260, .until = reader::no_time}};
  std::vector<std::array<std::uint64_t, 4>> found;
  for (const Gap& gap : find_gaps(lost, throttled, table)) {
    found.push_back({static_cast<std::uint64_t>(gap.kind), gap.from, gap.until, gap.count});
  }
  using Found = std::array<std::uint64_t, 4>;
  EXPECT_THAT(found, ElementsAre(Found{0, 50, 50, 8}, Found{1, 100, 250, 6}, Found{2, 120, 130, 0},
                                 Found{0, 200, 250, 7}, Found{0, 200, 290, 5}, Found{2, 260, 300, 0}));
}

TEST(SampleLog, SamplesOfOneTimeAreInTheOrderOfTheirRecords) {
  SampleLog log;
  const LoggedSample samples[] = {{.time = 5, .position = 40},
                                  {.time = 5, .position = 8},
                                  {.time = 1, .position = 99},
                                  {.time = 5, .position = 16, .event = 1},
                                  {.time = 5, .position = 16, .event = 0}};
  log.append(samples);
  log.sort_by_time();
  std::vector<std::uint64_t> positions, events;
  for (const LoggedSample& sample : log.samples()) {
    positions.push_back(sample.position);
    events.push_back(sample.event);
  }
  EXPECT_THAT(positions, ElementsAre(99, 8, 16, 16, 40));
  EXPECT_THAT(events, ElementsAre(0, 0, 0, 1, 0));
}

}  // namespace
}  // namespace perfsift::analysis
