// Leaves, and samples as columns.

#include "analysis/selection/sample_index.h"

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/selection/gaps.h"
#include "analysis/selection/row_set.h"
#include "analysis/table/table_builder.h"

namespace perfsift::analysis {
namespace {

using ::testing::ElementsAre;

// A value of the sample in each row.
template <typename Value>
auto column(const SampleIndex& table, Value&& value) {
  std::vector<std::uint64_t> all;
  for (std::uint32_t row = 0; row < table.size(); ++row) all.push_back(value(table[row]));
  return all;
}
std::vector<std::uint64_t> times(const SampleIndex& table) {
  return column(table, [](const SampleRow& sample) { return sample.time; });
}
std::vector<std::uint64_t> values(const SampleIndex& table) {
  return column(table, [](const SampleRow& sample) { return sample.value; });
}

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
    row({.time = 300, .context = rows_.context({.pid = 7, .tid = 9, .comm = "old", .cgroup = {}}), .cpu = 0},
        {main_11, f_5}, 4);
    row({.time = 100, .context = rows_.context({.pid = 7, .tid = 8, .comm = "a", .cgroup = {}}), .cpu = 0}, {main_10},
        1);
    row({.time = 200, .context = rows_.context({.pid = 7, .tid = 8, .comm = "b", .cgroup = {}}), .cpu = 1}, {main_11},
        2);
    row({.time = 300, .context = rows_.context({.pid = 7, .tid = 8, .comm = "b", .cgroup = {}}), .cpu = 0}, {main_10},
        8, "faults");
    row({.context = rows_.context({.pid = 7, .tid = 9, .comm = "new", .cgroup = {}}), .cpu = 1}, {main_10, f_5}, 16);
  }

  void row(SampleRow sample, const std::vector<FrameId>& frames, std::uint64_t value,
           std::string_view event = "cycles") {
    sample.event = profile_.event(event);
    sample.value = value;
    sample.stack = static_cast<std::uint32_t>(list_.entries().size());
    list_.add(sample.event, frames, {.samples = 1, .value = value});
    rows_.append({&sample, 1});
  }

  Profile profile_;
  TableBuilder rows_;
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
  ASSERT_EQ(leaves.size(), 4u);  // including the leaf of stacks without frames
  EXPECT_EQ(leaves[LeafTable::frameless].node, CallTree::root);
  EXPECT_EQ(leaves[1].node, 1u);
  EXPECT_EQ(profile_.frames().origin(leaves[1].frame).line, 10u);
  EXPECT_EQ(profile_.frames().origin(leaves[2].frame).line, 11u);
  EXPECT_EQ(leaves[3].node, 2u);
  EXPECT_EQ(leaves.of_stack(1), 1u);
  EXPECT_EQ(leaves.of_stack(0), leaves.of_stack(4));
  EXPECT_EQ(leaves.of_stack(SampleRow::no_stack), LeafTable::frameless);
}

// A thread may move to another control group.
TEST_F(Selected, ControlGroupsAreThoseOfTheContexts) {
  const auto context = [&](std::int32_t tid, const char* cgroup) {
    return rows_.context({.pid = 7, .tid = tid, .comm = "c", .cgroup = cgroup});
  };
  const std::uint32_t web = context(8, "/web"), batch = context(8, "/batch"), also_web = context(9, "/web");
  const CallTree tree(profile_, {.event_frames = false, .by_function = true}, 1);
  const LeafTable leaves(tree);
  const SampleTable table = std::move(rows_).seal();
  const SampleIndex index(table, leaves);
  EXPECT_THAT(index.cgroups(), ElementsAre("/batch", "/web"));
  EXPECT_EQ(index.cgroup_of(batch), 1u);
  EXPECT_EQ(index.cgroup_of(web), 2u);
  EXPECT_EQ(index.cgroup_of(also_web), 2u);
  EXPECT_EQ(index.cgroup_of(0), 0u);  // not recorded
}

TEST_F(Selected, RowsAreByThreadAndTime) {
  const CallTree tree(profile_, {.event_frames = false, .by_function = true}, 1);
  const LeafTable leaves(tree);
  const SampleTable table = std::move(rows_).seal();
  const SampleIndex index(table, leaves);
  ASSERT_EQ(index.threads().size(), 2u);
  EXPECT_EQ(index.threads()[0].tid, 8);
  EXPECT_EQ(index.threads()[0].comm, "b");
  EXPECT_EQ(index.threads()[1].comm, "new");
  EXPECT_EQ(index.threads()[1].begin, 3u);
  EXPECT_EQ(index.threads()[1].timed_end, 4u);
  EXPECT_EQ(index.threads()[1].end, 5u);
  EXPECT_THAT(index.cpus(), ElementsAre(0, 1));
  EXPECT_THAT(times(index), ElementsAre(100, 200, 300, 300, reader::no_time));
  EXPECT_THAT(values(index), ElementsAre(1, 2, 8, 4, 16));
  EXPECT_THAT(column(index, [](const SampleRow& sample) { return sample.cpu; }), ElementsAre(0, 1, 0, 0, 1));
  EXPECT_EQ(index.leaf(4), 3u);
  EXPECT_EQ(index.first_time(), 100u);
  EXPECT_EQ(index.last_time(), 300u);
  EXPECT_EQ(index.amount(), (Amount{.samples = 5, .value = 31}));
  EXPECT_EQ(index.only_event(), std::nullopt);
  EXPECT_EQ(index.only_value(), std::nullopt);
}

TEST_F(Selected, WhatAllSamplesHave) {
  const CallTree tree(profile_, {}, 1);
  const LeafTable leaves(tree);
  EXPECT_EQ(SampleIndex(SampleTable(), leaves, 3).only_value(), std::nullopt);
  TableBuilder rows;
  const SampleRow sample{.value = 7, .context = rows.context({}), .event = 1};
  for (int i = 0; i < 4; ++i) rows.append({&sample, 1});
  const SampleTable table = std::move(rows).seal();
  const SampleIndex index(table, leaves, 3);
  EXPECT_EQ(index.only_event(), 1u);
  EXPECT_EQ(index.only_value(), 7u);
  EXPECT_EQ(index.threads()[0].timed_end, 0u);
  EXPECT_EQ(index.threads()[0].end, 4u);
}

// Samples of three threads at a few times. Some times are equal, and some samples have no time.
std::vector<SampleRow> some_samples(TableBuilder& rows) {
  std::vector<SampleRow> samples;
  for (std::uint32_t i = 0; i < 30'000; ++i) {
    const auto tid = static_cast<std::int32_t>(i * 7 % 3);
    samples.push_back({.time = i % 100 == 7 ? reader::no_time : std::uint64_t{i} / 2,
                       .value = i % 11,
                       .position = std::uint64_t{i} * 8,
                       .context = rows.context({.pid = 7, .tid = tid, .comm = i < 15'000 ? "early" : "late"}),
                       .cpu = static_cast<std::int32_t>(i % 5) - 1,
                       .event = i % 2});
  }
  return samples;
}

// Rows in order, in few runs, in many runs, and without order.
TEST_F(Selected, NeitherTheOrderOfRowsNorThreadsMatter) {
  const CallTree tree(profile_, {}, 1);
  const LeafTable leaves(tree);
  const auto table_of = [](auto&& change) {
    TableBuilder rows;
    std::vector<SampleRow> samples = some_samples(rows);
    change(samples);
    rows.append(samples);
    return std::move(rows).seal();
  };
  std::vector<SampleTable> tables;
  tables.push_back(table_of([](const auto&) {}));
  tables.push_back(table_of([](std::vector<SampleRow>& mixed) {
    for (std::size_t i = 0; i < mixed.size(); ++i) std::swap(mixed[i], mixed[i * 7919 % mixed.size()]);
  }));
  for (const std::uint64_t runs : {2, 3, 7, 16, 17}) {
    tables.push_back(table_of([runs](std::vector<SampleRow>& samples) {
      std::ranges::stable_sort(samples, {}, [&](const SampleRow& sample) { return sample.position / 8 % runs; });
    }));
  }
  const SampleIndex expected(tables.front(), leaves);
  const auto position = [](const SampleRow& sample) { return sample.position; };
  const auto place = [&](std::uint32_t row) { return std::pair(expected[row].time, expected[row].position); };
  for (const SampleIndex::Thread& thread : expected.threads()) {
    for (std::uint32_t row = thread.begin + 1; row < thread.end; ++row) ASSERT_LT(place(row - 1), place(row));
  }
  for (const SampleTable& table : tables) {
    for (const unsigned threads : {1U, 5U}) {
      const SampleIndex index(table, leaves, threads);
      const auto what = [](const SampleRow& sample) { return sample.event << 8 | (sample.cpu + 1); };
      EXPECT_EQ(times(index), times(expected));
      EXPECT_EQ(values(index), values(expected));
      EXPECT_EQ(column(index, position), column(expected, position));
      EXPECT_EQ(column(index, what), column(expected, what));
      ASSERT_EQ(index.threads().size(), 3u);
      EXPECT_EQ(index.threads()[1].comm, "late");
      EXPECT_EQ(index.threads()[1].timed_end, expected.threads()[1].timed_end);
    }
  }
  EXPECT_EQ(expected.last_time(), 14'999u);
}

TEST(RowSet, BitsOfRows) {
  RowSet rows(70);
  for (const std::uint32_t row : {0u, 3u, 64u, 69u}) rows.add(row);
  EXPECT_THAT(rows.words(), ElementsAre(0b1001, 0b100001));
}

TEST_F(Selected, ALossBeginsWithTheLastSampleOfItsCpu) {
  const CallTree tree(profile_, {}, 1);
  const LeafTable leaves(tree);
  const SampleTable table = std::move(rows_).seal();
  const SampleIndex index(table, leaves);
  const reader::LostAt lost[] = {{.time = 290, .cpu = 1, .records = 5},
                                 {.time = 250, .cpu = 0, .samples = 6},
                                 {.time = 250, .cpu = -1, .records = 7},
                                 {.time = 50, .cpu = 0, .records = 8},
                                 {.records = 9}};
  const reader::ThrottleWindow throttled[] = {{.cpu = 1, .from = 120, .until = 130},
                                              {.cpu = 0, .from = 260, .until = reader::no_time}};
  std::vector<std::array<std::uint64_t, 4>> found;
  for (const Gap& gap : find_gaps(lost, throttled, index)) {
    found.push_back({static_cast<std::uint64_t>(gap.kind), gap.from, gap.until, gap.count});
  }
  using Found = std::array<std::uint64_t, 4>;
  EXPECT_THAT(found, ElementsAre(Found{0, 50, 50, 8}, Found{1, 100, 250, 6}, Found{2, 120, 130, 0},
                                 Found{0, 200, 250, 7}, Found{0, 200, 290, 5}, Found{2, 260, 300, 0}));
}

// Three parts add samples alternately. The expected number covers few, some or all of the samples.
TEST(TableBuilder, HasTheSamplesOfAllParts) {
  for (const std::size_t expected : {0, 9000, 30'000, 100'000}) {
    TableBuilder rows;
    const SampleRow before{.value = 1'000'000};
    rows.append({&before, 1});
    rows.expect(expected, expected == 100'000 ? 3 : 0);
    TableBuilder::Part a(rows), b(rows), c(rows), none(rows);
    std::uint64_t value = 0;
    for (int i = 0; i < 10'000; ++i) {
      a.add({.value = value++, .stack = 7});
      if (i % 2 == 0) b.add({.value = value++, .stack = 8});
      if (i < 4096) c.add({.value = value++, .stack = 9});
    }
    int seen = 0;
    b.finish([&](std::uint32_t stack) { return ++seen, stack - 3; });
    EXPECT_EQ(seen, 5000);
    c.finish([](std::uint32_t) { return TableBuilder::Part::unwanted; });
    for (TableBuilder::Part* part : {&a, &none}) part->finish([](std::uint32_t stack) { return stack; });
    TableBuilder::Part* const parts[] = {&a, &none, &b, &c};
    rows.join(parts);
    const SampleTable table = std::move(rows).seal();
    EXPECT_EQ(table.summary().amount().samples, 15'001u);
    std::vector<std::uint64_t> values;
    std::array<int, 10> stacks{};
    for (const SampleRow& sample : table.samples()) {
      values.push_back(sample.value);
      if (sample.value != 1'000'000) ++stacks[sample.stack];
    }
    std::ranges::sort(values);
    EXPECT_EQ(std::ranges::adjacent_find(values), values.end());
    EXPECT_EQ(values.back(), 1'000'000u);
    EXPECT_EQ(values.size(), 15'001u);
    EXPECT_EQ(stacks[7], 10'000);
    EXPECT_EQ(stacks[5], 5000);
  }
}

TEST(TableBuilder, SamplesOfOneTimeAreInTheOrderOfTheirRecords) {
  TableBuilder rows({.in_order = true});
  const SampleRow samples[] = {{.time = 5, .position = 40},
                               {.time = 5, .position = 8},
                               {.time = 1, .position = 99},
                               {.time = 5, .position = 16, .event = 1},
                               {.time = 5, .position = 16, .event = 0}};
  rows.append(samples);
  const SampleTable table = std::move(rows).seal();
  std::vector<std::uint64_t> positions, events;
  for (const SampleRow& sample : table.samples()) {
    positions.push_back(sample.position);
    events.push_back(sample.event);
  }
  EXPECT_THAT(positions, ElementsAre(99, 8, 16, 16, 40));
  EXPECT_THAT(events, ElementsAre(0, 0, 0, 1, 0));
}

}  // namespace
}  // namespace perfsift::analysis
