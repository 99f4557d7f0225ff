// The comments of a pprof profile that separate runs. stored_runs.h describes the texts.

#include "analysis/gate/stored_runs.h"

#include <gmock/gmock.h>

#include "analysis/gate/run_amounts.h"
#include "base/error.h"

namespace perfsift::analysis::stored {  // a unity build compiles other tests in the same file
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<std::string> two_runs{
    "perf-version:6.1",
    "perfsift-runs=1.7",
    "perfsift-run.0.name=a.data",
    "perfsift-run.0.samples=10",
    "perfsift-run.0.blocks=64",
    "perfsift-run.0.throttled=2",
    "perfsift-run.0.environment=recorded",
    "perfsift-run.0.kernel=6.1.0",
    "perfsift-run.0.cpus=4",
    "perfsift-run.0.compiled=my app/GNU 12.2.0 -B/usr/bin -O2",
    "perfsift-run.0.event=frequency 999 cpu-clock",
    "perfsift-run.0.event=period 5 sched:sched switch",
    "perfsift-run.0.stacks=dwarf,8192 sched:sched switch",
    "perfsift-run.0.moon=full",
    "perfsift-run.0.quality=recorded",
    "perfsift-run.0.lost_samples=3",
    "perfsift-run.0.unresolved=7 stripped /usr/bin/a b",
    "perfsift-run.0.incomplete=2 copy_short /usr/bin/a",
    "perfsift-run.1.samples=4",
    "perfsift-run.1.blocks=1",
};

std::string error_of(const std::vector<std::string>& comments, const std::map<std::uint32_t, std::uint64_t>& samples) {
  try {
    stored_runs(comments, samples);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

std::vector<std::string> with(std::string comment, std::size_t place) {
  std::vector<std::string> comments = two_runs;
  comments[place] = std::move(comment);
  return comments;
}

TEST(StoredRuns, AllFactsAreRead) {
  const std::vector<analysis::Run> runs = stored_runs(two_runs, {{0, 10}, {1, 4}});
  ASSERT_EQ(runs.size(), 2u);
  const analysis::Run& run = runs.front();
  EXPECT_EQ(run.name, "a.data");
  EXPECT_EQ(run.blocks, 64u);
  EXPECT_EQ(run.throttled, 2u);
  EXPECT_FALSE(run.damaged);
  ASSERT_TRUE(run.environment && run.quality);
  EXPECT_EQ(run.environment->kernel, "6.1.0");
  EXPECT_EQ(run.environment->cpus, 4u);
  EXPECT_THAT(run.environment->compiled, ElementsAre(testing::Pair("my app", "GNU 12.2.0 -B/usr/bin -O2")));
  EXPECT_THAT(
      run.environment->events,
      ElementsAre(
          EventSetting{.name = "cpu-clock", .every = 999, .is_frequency = true},
          EventSetting{.name = "sched:sched switch", .every = 5, .is_frequency = false, .stacks = "dwarf,8192"}));
  EXPECT_EQ(run.quality->lost_samples, 3u);
  EXPECT_THAT(run.quality->unresolved,
              ElementsAre(testing::Pair(UnresolvedPlace{"/usr/bin/a b", symbolize::Missing::stripped}, 7u)));
  EXPECT_THAT(run.quality->incomplete,
              ElementsAre(testing::Pair(IncompletePlace{"/usr/bin/a", StackTail::copy_short}, 2u)));
  EXPECT_FALSE(runs[1].environment || runs[1].quality);
}

TEST(StoredRuns, WhatIsWrittenIsRead) {
  const std::vector<analysis::Run> runs = stored_runs(two_runs, {{0, 10}, {1, 4}});
  const std::vector<StoredRun> stored{{.run = runs[0], .samples = 10}, {.run = runs[1], .samples = 4}};
  const std::vector<std::string> comments = comments_of_runs(stored);
  EXPECT_EQ(comments.front(), "perfsift-runs=1.1");
  EXPECT_EQ(comments.size(), two_runs.size() - 2);  // without perf's line and the unknown fact
  for (std::size_t i = 2; i < two_runs.size(); ++i) {
    if (two_runs[i] == "perfsift-run.0.moon=full") continue;
    EXPECT_THAT(comments, testing::Contains(two_runs[i]));
  }
}

TEST(StoredRuns, EveryReasonHasAWordOfItsOwn) {
  analysis::Run run{.name = "x", .quality = Quality()};
  for (int reason = 1; reason <= static_cast<int>(symbolize::Missing::stack_truncated); ++reason)
    run.quality->unresolved[{.binary = "b", .reason = static_cast<symbolize::Missing>(reason)}] = 1;
  for (auto tail = static_cast<int>(StackTail::copy_short); tail <= static_cast<int>(StackTail::unknown); ++tail)
    run.quality->incomplete[{.binary = "b", .reason = static_cast<StackTail>(tail)}] = 1;
  const StoredRun stored{.run = run, .samples = 1};
  const std::vector<analysis::Run> again = stored_runs(comments_of_runs({&stored, 1}), {{0, 1}});
  EXPECT_EQ(again.front().quality->unresolved, run.quality->unresolved);
  EXPECT_EQ(again.front().quality->incomplete, run.quality->incomplete);
}

TEST(StoredRuns, ALaterVersionIsRefused) {
  EXPECT_THAT(error_of(with("perfsift-runs=2.0", 1), {{0, 10}, {1, 4}}), HasSubstr("version 2"));
  EXPECT_THAT(error_of(with("perfsift-runs=x", 1), {{0, 10}, {1, 4}}), HasSubstr("'perfsift-runs=x'"));
}

TEST(StoredRuns, SamplesThatDoNotAddUpAreRefused) {
  EXPECT_EQ(error_of(two_runs, {{0, 9}, {1, 4}}),
            "run 0 ('a.data') was stored with 10 samples, and 9 are here: the file was cut or changed");
  EXPECT_THAT(error_of(two_runs, {{0, 10}}), HasSubstr("run 1 was stored with 4 samples, and 0 are here"));
  EXPECT_THAT(error_of(two_runs, {{0, 10}, {1, 4}, {2, 1}}), HasSubstr("1 samples are of none of its 2 runs"));
  EXPECT_THAT(error_of(two_runs, {{0, 10}, {1, 4}, {2, 0}}), HasSubstr("0 samples are of none of its 2 runs"));
  EXPECT_THAT(error_of(two_runs, {{0, 10}, {1, 4}, {SumRow::no_run, 5}}), HasSubstr("5 samples are of none"));
}

TEST(StoredRuns, CommentsThatWereChangedAreRefused) {
  EXPECT_THAT(error_of(with("perfsift-run.0.samples=ten", 3), {{0, 10}, {1, 4}}), HasSubstr("samples=ten"));
  EXPECT_THAT(error_of(with("perfsift-run.9999999999.samples=1", 18), {{0, 10}}), HasSubstr("9999999999"));
  EXPECT_THAT(error_of(with("perfsift-run.1.blocks=100000", 19), {{0, 10}, {1, 4}}), HasSubstr("run 1 is not whole"));
  EXPECT_THAT(error_of(with("x", 18), {{0, 10}, {1, 4}}), HasSubstr("run 1 is not whole"));
}

// The frames f, g and f with another address are two functions. Their stacks come in any order.
TEST(StoredRuns, CountsOfOneStackAreJoinedAndSorted) {
  Profile profile;
  const EventId event = profile.event("cycles");
  StackList& list = profile.new_list();
  for (const auto& [name, address] : {std::pair("f", 1u), std::pair("g", 2u), std::pair("f", 3u)}) {
    const FrameId frame = profile.frames().intern(name, {.kind = FrameKind::user, .address = address});
    list.add(event, {&frame, 1}, {.samples = 1, .value = 1});
  }
  const GateStacks stacks(profile);
  TableBuilder rows;
  const auto add = [&](std::uint32_t stack, std::uint32_t run, std::uint32_t block, std::uint64_t samples) {
    rows.append(
        SumRow{.amount = {.samples = samples, .value = 1}, .stack = stack, .event = event, .run = run, .block = block});
  };
  add(1, 0, 2, 10);
  add(1, 0, 1, 11);
  add(0, 0, 5, 12);
  add(2, 0, 5, 13);
  add(2, 0, 900, 14);  // more than the run has
  add(0, 1, 0, 15);
  add(0, 7, 0, 99);  // no such run
  add(1, 0, 0, 0);
  std::vector<analysis::Run> runs{{.blocks = 64}, {.blocks = 1}};
  count_stored_samples(std::move(rows).seal(), event, stacks, runs);
  const std::uint32_t f = stacks.stack_of(0), g = stacks.stack_of(1);
  ASSERT_EQ(stacks.stack_of(2), f);
  ASSERT_LT(f, g);
  EXPECT_THAT(runs[0].counts,
              ElementsAre(BlockCount{f, 5, 25}, BlockCount{f, 63, 14}, BlockCount{g, 1, 11}, BlockCount{g, 2, 10}));
  EXPECT_THAT(runs[1].counts, ElementsAre(BlockCount{f, 0, 15}));
}

// The block of a sample is its part of the time from the first to the last sample of its event.
TEST(RunAmounts, TimeBecomesBlocks) {
  TableBuilder rows, sums, halves;
  const std::uint32_t context = rows.context({});
  for (const std::uint64_t time : {1000, 1001, 1032, 1063}) {
    const SampleRow sample{.time = time, .value = 5, .stack = 0, .context = context};
    rows.append({&sample, 1});
  }
  const SampleTable table = std::move(rows).seal();
  append_run(table, {.run = 3}, sums);
  std::vector<std::uint32_t> blocks;
  const SampleTable blocks_of_run = std::move(sums).seal();
  for (const SumRow& sum : blocks_of_run.sums()) {
    EXPECT_EQ(sum.run, 3u);
    EXPECT_EQ(sum.amount, (Amount{.samples = 1, .value = 5}));
    blocks.push_back(sum.block);
  }
  EXPECT_THAT(blocks, ElementsAre(0, 1, 32, 63));

  append_run(table, {.run = 0, .one_run = true, .part = 1, .all_parts = 2}, halves);
  const SampleTable last_half = std::move(halves).seal();
  EXPECT_EQ(last_half.sums().front().block, 32u);
  EXPECT_EQ(last_half.sums().back().block, 63u);
}

}  // namespace
}  // namespace perfsift::analysis::stored
