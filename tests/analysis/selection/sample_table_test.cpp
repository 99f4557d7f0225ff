// Leaves, samples as columns, and what is selected from them: sums done by hand.

#include "analysis/selection/sample_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/selection/gaps.h"
#include "analysis/selection/selection.h"

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

  // Of each leaf: node, line, value.
  std::vector<std::array<std::uint64_t, 3>> amounts(const Selection& selection) {
    const CallTree tree(profile_, {.event_frames = false, .by_function = true}, 1);
    const LeafTable leaves(tree);
    const SampleTable table(log_, leaves);
    const auto by_leaf = amounts_by_leaf(table, selection, StopFlag());
    std::vector<std::array<std::uint64_t, 3>> result;
    for (LeafId leaf = 0; leaf < leaves.size(); ++leaf) {
      if (by_leaf[leaf].samples == 0) continue;
      result.push_back({leaves[leaf].node, profile_.frames().origin(leaves[leaf].frame).line, by_leaf[leaf].value});
    }
    return result;
  }

  using Line = std::array<std::uint64_t, 3>;
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

TEST_F(Selected, EverySampleOfAnEventIsInTheWhole) {
  const EventId cycles = profile_.event("cycles"), faults = profile_.event("faults");
  EXPECT_THAT(amounts({.event = cycles}), ElementsAre(Line{1, 10, 1}, Line{1, 11, 2}, Line{2, 5, 20}));
  EXPECT_THAT(amounts({.event = faults}), ElementsAre(Line{1, 10, 8}));
}

TEST_F(Selected, ARangeEndsBeforeItsEnd) {
  EXPECT_THAT(amounts({.from = 100, .until = 200}), ElementsAre(Line{1, 10, 1}));
  EXPECT_THAT(amounts({.from = 101, .until = 301}), ElementsAre(Line{1, 11, 2}, Line{2, 5, 4}));
  EXPECT_THAT(amounts({.from = 400, .until = 500}), ElementsAre());
  // A sample without a time is in no range.
  EXPECT_THAT(amounts({.from = 0, .until = Selection::end_of_time - 1}),
              ElementsAre(Line{1, 10, 1}, Line{1, 11, 2}, Line{2, 5, 4}));
}

TEST_F(Selected, ThreadsAndCpusAndRowsAreChosen) {
  EXPECT_THAT(amounts({.thread = 0}), ElementsAre(Line{1, 10, 1}, Line{1, 11, 2}));
  EXPECT_THAT(amounts({.cpu = 1}), ElementsAre(Line{1, 11, 2}, Line{2, 5, 16}));
  EXPECT_THAT(amounts({.thread = 1, .cpu = 0}), ElementsAre(Line{2, 5, 4}));
  RowSet kept(5);
  kept.add(1);
  kept.add(4);
  EXPECT_THAT(amounts({.kept = &kept}), ElementsAre(Line{1, 11, 2}, Line{2, 5, 16}));
}

TEST_F(Selected, BinsOfLanes) {
  const CallTree tree(profile_, {.event_frames = false, .by_function = true}, 1);
  const LeafTable leaves(tree);
  const SampleTable table(log_, leaves);
  const auto values = [&](const Selection& selection, LaneKind kind, const std::vector<std::uint32_t>& lanes) {
    std::vector<std::uint64_t> result;
    for (const Amount& amount :
         amounts_over_time(table, selection, {.from = 100, .width = 100, .count = 3}, kind, lanes, StopFlag())) {
      result.push_back(amount.value);
    }
    return result;
  };
  EXPECT_THAT(values({}, LaneKind::all, {}), ElementsAre(1, 2, 4));
  EXPECT_THAT(values({}, LaneKind::thread, {1, 0}), ElementsAre(0, 0, 4, 1, 2, 0));
  EXPECT_THAT(values({}, LaneKind::cpu, {1}), ElementsAre(0, 2, 0));
  EXPECT_THAT(values({.thread = 0}, LaneKind::cpu, {0, 1}), ElementsAre(1, 0, 0, 0, 2, 0));
  // The range of the selection does not cut the timeline, and lanes that do not exist stay empty.
  EXPECT_THAT(values({.from = 100, .until = 101}, LaneKind::thread, {9, 1}), ElementsAre(0, 0, 0, 0, 0, 4));
}

TEST_F(Selected, BinsBeyondTheEndOfTimeAreEmpty) {
  const CallTree tree(profile_, {.event_frames = false}, 1);
  const LeafTable leaves(tree);
  const SampleTable table(log_, leaves);
  const TimeBins bins{.from = 200, .width = Selection::end_of_time / 2, .count = 5};
  const auto amounts = amounts_over_time(table, {}, bins, LaneKind::all, {}, StopFlag());
  EXPECT_EQ(amounts[0].value, 6u);
  EXPECT_EQ(amounts[4].value, 0u);
}

TEST_F(Selected, AComputationStopsWhenTold) {
  const CallTree tree(profile_, {}, 1);
  const LeafTable leaves(tree);
  const SampleTable table(log_, leaves);
  StopFlag stop;
  stop.stop();
  EXPECT_THROW(amounts_by_leaf(table, {}, stop), Stopped);
  EXPECT_THROW(amounts_over_time(table, {}, {.count = 1}, LaneKind::all, {}, stop), Stopped);
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
