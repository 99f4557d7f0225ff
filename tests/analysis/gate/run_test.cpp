// Stacks by function, and samples by stack and time block.

#include "analysis/gate/run.h"

#include <string_view>
#include <vector>

#include <gmock/gmock.h>

#include "analysis/table/table_builder.h"

namespace perfsift::analysis::gate_runs {  // a unity build compiles other tests in the same file
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

FrameId frame(Profile& profile, std::string_view name, const std::string& path, std::uint32_t line = 0) {
  return profile.frames().intern(
      name, {.kind = FrameKind::user, .binary = profile.frames().binary({.path = path, .build_id = {}}), .line = line});
}

// Two builds of one program, in two folders, with different lines.
TEST(GateStacks, AreOfFunctionsAndNotOfPlaces) {
  Profile profile;
  const EventId event = profile.event("cycles");
  const FrameId thread = profile.frames().intern("app", {.kind = FrameKind::thread});
  for (const std::uint32_t line : {10u, 20u}) {
    const std::string path = "/build" + std::to_string(line) + "/app";
    const std::vector<FrameId> stack{thread, frame(profile, "main", path, line), frame(profile, "f", path, line)};
    profile.new_list().add(event, stack, {.samples = 1, .value = 1});
  }
  const GateStacks stacks(profile);
  ASSERT_EQ(stacks.functions().size(), 2u);
  EXPECT_EQ(stacks.functions()[0].name, "f");
  EXPECT_EQ(stacks.functions()[0].binary, "app");
  EXPECT_EQ(stacks.size(), 2u);  // with the stack without frames
  EXPECT_EQ(stacks.stack_of(0), stacks.stack_of(1));
  EXPECT_THAT(stacks.functions_of(1), ElementsAre(1, 0));
  EXPECT_THAT(stacks.functions_of(GateStacks::no_frames), IsEmpty());
}

// Stacks are numbered as they are added, not as they are sorted, so the number of threads changes nothing.
TEST(GateStacks, AreNumberedAsTheyCome) {
  Profile profile;
  const EventId event = profile.event("cycles");
  const FrameId thread = profile.frames().intern("app", {.kind = FrameKind::thread});
  const FrameId a = frame(profile, "a", "/app"), b = frame(profile, "b", "/app"), again = frame(profile, "a", "/x/app");
  StackList& list = profile.new_list();
  for (const std::vector<FrameId>& stack : std::vector<std::vector<FrameId>>{
           {b, a}, {a}, {b, thread, again}, {thread}, {again, b}, {a, thread, b}, {b}, {a, again}})
    list.add(event, stack, {.samples = 1, .value = 1});
  for (const unsigned threads : {1u, 4u}) {
    const GateStacks stacks(profile, threads);
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t stack = 0; stack < profile.stack_count(); ++stack) numbers.push_back(stacks.stack_of(stack));
    EXPECT_THAT(numbers, ElementsAre(1, 2, 1, GateStacks::no_frames, 3, 3, 4, 5));
    EXPECT_THAT(stacks.functions_of(1), ElementsAre(1, 0));
    EXPECT_THAT(stacks.functions_of(5), ElementsAre(0, 0));
  }
}

class CountedRun : public testing::Test {
 protected:
  CountedRun() : event_(profile_.event("cycles")), other_(profile_.event("faults")) {
    const FrameId f = frame(profile_, "f", "/app"), g = frame(profile_, "g", "/app");
    profile_.new_list().add(event_, std::vector{f}, {.samples = 5, .value = 500});
    profile_.new_list().add(event_, std::vector{f, g}, {.samples = 2, .value = 200});
  }

  analysis::Run count() {
    const GateStacks stacks(profile_);
    analysis::Run run;
    count_samples(std::move(rows_).seal(), event_, stacks, run);
    return run;
  }

  Profile profile_;
  TableBuilder rows_;
  EventId event_, other_;
};

TEST_F(CountedRun, BlocksAreEquallyLong) {
  rows_.append(std::vector<SampleRow>{{.time = 1000, .stack = 0, .event = event_},
                                      {.time = 1000 + 63, .stack = 1, .event = event_},
                                      {.time = 1000 + 31, .stack = 0, .event = event_},
                                      {.time = 1000, .stack = 0, .event = event_},
                                      {.time = 1000 + 32, .event = event_},
                                      {.time = 9000, .stack = 0, .event = other_}});
  const analysis::Run run = count();
  EXPECT_EQ(run.blocks, 64u);
  EXPECT_THAT(run.counts,
              ElementsAre(BlockCount{0, 32, 1}, BlockCount{1, 0, 2}, BlockCount{1, 31, 1}, BlockCount{2, 63, 1}));
  EXPECT_EQ(run.samples(), 5u);
}

TEST_F(CountedRun, AHugeSpanOfTimeHasItsBlocksToo) {
  rows_.append(std::vector<SampleRow>{{.time = 0, .stack = 0, .event = event_},
                                      {.time = reader::no_time - 1, .stack = 0, .event = event_}});
  EXPECT_THAT(count().counts, ElementsAre(BlockCount{1, 0, 1}, BlockCount{1, 63, 1}));
}

TEST_F(CountedRun, WithoutTimesThereIsOneBlock) {
  rows_.append(std::vector<SampleRow>{{.stack = 0, .event = event_}, {.stack = 1, .event = event_}});
  const analysis::Run run = count();
  EXPECT_EQ(run.blocks, 1u);
  EXPECT_THAT(run.counts, ElementsAre(BlockCount{1, 0, 1}, BlockCount{2, 0, 1}));
}

TEST_F(CountedRun, SumsAreOneBlock) {
  rows_.append(SumRow{.amount = {.samples = 7, .value = 700}, .stack = 1, .event = event_});
  rows_.append(SumRow{.amount = {.samples = 2, .value = 200}, .stack = 0, .event = event_});
  rows_.append(SumRow{.amount = {.samples = 4, .value = 400}, .stack = 0, .event = other_});
  EXPECT_THAT(count().counts, ElementsAre(BlockCount{1, 0, 2}, BlockCount{2, 0, 7}));
}

}  // namespace
}  // namespace perfsift::analysis::gate_runs
