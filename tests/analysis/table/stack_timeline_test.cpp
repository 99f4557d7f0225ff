#include "analysis/table/stack_timeline.h"

#include <string>

#include <gmock/gmock.h>

#include "analysis/table/table_builder.h"

namespace perfsift::analysis {
namespace {

using testing::ElementsAre;
using testing::IsSupersetOf;

class Timeline : public testing::Test {
 protected:
  // The stack of a thread's sample.
  void sample(std::int32_t tid, std::uint64_t time, const std::vector<std::string>& frames) {
    const SampleContext context{.pid = 1, .tid = tid, .comm = "app", .cgroup = {}};
    samples_.push_back({.time = time,
                        .stack = frames.empty() ? SampleRow::no_stack : stack(frames, 1),
                        .context = rows_.context(context)});
  }
  std::uint32_t stack(const std::vector<std::string>& frames, std::uint64_t value) {
    std::vector<FrameId> ids{profile_.frames().intern("app", {.kind = FrameKind::thread})};
    for (const std::string& frame : frames) ids.push_back(profile_.frames().intern(frame));
    list_.add(profile_.event("cycles"), ids, {.samples = 1, .value = value});
    return profile_.stack_count() - 1;
  }

  // "  name value samples", indented by depth, without the root. "-": no frame.
  std::vector<std::string> lines(const StackTimeline& timeline) {
    std::vector<std::string> result;
    for (std::size_t i = 1; i < timeline.nodes.size(); ++i) {
      const StackTimeline::Node& node = timeline.nodes[i];
      const bool none = node.frame == StackTimeline::no_frame;
      result.push_back(std::string(node.depth - 1, ' ') +
                       (none ? "-" : std::string(profile_.frames().text(node.frame))) + ' ' +
                       std::to_string(node.self.value) + ' ' + std::to_string(node.self.samples));
    }
    return result;
  }
  StackTimeline timeline() {
    rows_.append(samples_);
    return timeline_of_threads(std::move(rows_).seal(), profile_);
  }
  std::vector<std::string> of_threads() { return lines(timeline()); }

  Profile profile_;
  StackList& list_ = profile_.new_list();
  TableBuilder rows_{{.in_order = true}};
  std::vector<SampleRow> samples_;
};

TEST_F(Timeline, NeighboursShareTheirFrames) {
  sample(7, 1000, {"main", "a"});
  sample(7, 1100, {"main", "a"});
  sample(7, 1200, {"main", "b"});
  sample(7, 1300, {"main", "a"});
  EXPECT_THAT(of_threads(), ElementsAre("app (7) 0 0", " main 0 0", "  a 250 2", "  b 100 1", "  a 100 1"));
}

TEST_F(Timeline, AThreadThatDidNotRunHasAGap) {
  for (const std::uint64_t time : {1000, 1100, 1200, 9000, 9100}) sample(7, time, {"main"});
  EXPECT_THAT(of_threads(), ElementsAre("app (7) 0 0", " main 350 3", " - 7650 0", " main 250 2"));
}

TEST_F(Timeline, LanesAreEquallyLong) {
  sample(8, 1000, {"b"});
  sample(7, 1100, {"a"});
  sample(7, 1200, {"a"});
  EXPECT_THAT(of_threads(), ElementsAre("app (7) 0 0", " - 100 0", " a 250 2", "app (8) 0 0", " b 150 1", " - 200 0"));
}

// The kernel's names of idle threads: init_idle() of kernel/sched/core.c.
TEST_F(Timeline, EachCpuHasAnIdleThread) {
  const std::uint32_t idle = rows_.context({.pid = 0, .tid = 0, .comm = "swapper", .cgroup = {}}),
                      stack = this->stack({"idle"}, 1);
  for (const std::uint64_t time : {1000, 1100}) {
    for (const std::int32_t cpu : {0, 1})
      samples_.push_back({.time = time + 10, .stack = stack, .context = idle, .cpu = cpu});
  }
  samples_.push_back({.time = 1200, .stack = stack, .context = idle});
  EXPECT_THAT(of_threads(), IsSupersetOf({"swapper/0 (0) 0 0", "swapper/1 (0) 0 0", "swapper (0) 0 0"}));
}

TEST_F(Timeline, TheBusiestThreadIsFirst) {
  sample(7, 1000, {"a"});
  for (const std::uint64_t time : {1100, 1200}) sample(8, time, {"b"});
  sample(9, 1300, {"c"});
  std::vector<std::string> names;
  for (const std::string& line : of_threads()) {
    if (line.starts_with("app")) names.push_back(line);
  }
  EXPECT_THAT(names, ElementsAre("app (8) 0 0", "app (7) 0 0", "app (9) 0 0"));
}

// A function keeps its node while its callees change. Its own time between calls keeps its place.
TEST_F(Timeline, TimeBetweenCallsKeepsItsPlace) {
  sample(7, 1000, {"main"});
  sample(7, 1100, {"main", "a"});
  sample(7, 1200, {"main"});
  sample(7, 1300, {"main"});
  sample(7, 1400, {"main", "b"});
  EXPECT_THAT(of_threads(), ElementsAre("app (7) 0 0", " main 150 1", "  a 100 1", "  - 200 2", "  b 100 1"));
}

TEST_F(Timeline, SamplesWithoutATimeAreCounted) {
  sample(7, 1000, {"main"});
  sample(7, reader::no_time, {"main"});
  const StackTimeline timeline = this->timeline();
  EXPECT_EQ(timeline.untimed, 1u);
  EXPECT_THAT(lines(timeline), ElementsAre("app (7) 0 0", " main 1000 1"));
}

// 90,000 samples of two threads. Thread 7 is in a for two thirds of each short time, and in b for the rest. Thread 8 is
// in b. A chart cannot show all samples, but shows the same shares.
TEST_F(Timeline, ManySamplesAreJoinedAndKeepTheirShares) {
  const std::uint32_t a = stack({"main", "a"}, 1), b = stack({"main", "b"}, 1);
  for (const std::int32_t tid : {7, 8}) {
    const std::uint32_t context = rows_.context({.pid = 1, .tid = tid, .comm = "app", .cgroup = {}});
    for (std::uint64_t i = 0; i < 45'000; ++i)
      samples_.push_back({.time = 1'000'000 + 1000 * i, .stack = tid == 7 && i % 3 != 0 ? a : b, .context = context});
  }
  const StackTimeline timeline = this->timeline();
  EXPECT_GT(timeline.column, 4000u);
  EXPECT_LT(timeline.nodes.size(), 50'000u);
  Amount of_a, all;
  for (const StackTimeline::Node& node : timeline.nodes) {
    all += node.self;
    if (node.frame != StackTimeline::no_frame && profile_.frames().text(node.frame) == "a") of_a += node.self;
  }
  EXPECT_EQ(all.samples, 90'000u);
  EXPECT_EQ(all.value, 2 * (45'000u * 1000 + 500));
  EXPECT_NEAR(static_cast<double>(of_a.value), 30'000e3, 100e3);
  EXPECT_NEAR(static_cast<double>(of_a.samples), 30'000, 100);
}

// A thread that sleeps for most of each column is not shown as running.
TEST_F(Timeline, JoinedSamplesKeepTheTimeBetweenThem) {
  const std::uint32_t a = stack({"a"}, 1);
  const std::uint32_t context = rows_.context({.pid = 1, .tid = 7, .comm = "app", .cgroup = {}});
  for (std::uint64_t i = 0; i < 60'000; ++i)
    samples_.push_back({.time = 1'000'000 + (i / 2) * 10'000 + (i % 2) * 1000, .stack = a, .context = context});
  const StackTimeline timeline = this->timeline();
  EXPECT_GT(timeline.column, 0u);
  std::uint64_t shown = 0, gaps = 0;
  for (const StackTimeline::Node& node : timeline.nodes)
    (node.frame == StackTimeline::no_frame ? gaps : shown) += node.self.value;
  EXPECT_EQ(shown, 30'000u * (1000 + 1500));
  EXPECT_EQ(gaps, 29'999u * 7500);
}

TEST_F(Timeline, WithoutSamplesThereIsOnlyTheRoot) { EXPECT_THAT(of_threads(), ElementsAre()); }

TEST_F(Timeline, SamplesWithoutAStackAreGapsThatCount) {
  sample(7, 1000, {"main"});
  sample(7, 1100, {});
  EXPECT_THAT(of_threads(), ElementsAre("app (7) 0 0", " main 150 1", " - 100 1"));
}

TEST_F(Timeline, StacksFollowEachOther) {
  stack({"main", "b"}, 3);
  stack({"main", "a"}, 1);
  stack({"main", "b"}, 2);
  EXPECT_THAT(lines(timeline_of_stacks(profile_)),
              ElementsAre("app 0 0", " main 0 0", "  b 3 1", "  a 1 1", "  b 2 1"));
}

}  // namespace
}  // namespace perfsift::analysis
