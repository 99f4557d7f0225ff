// The sides of a check, from inputs to counted runs.

#include "analysis/gate/sides.h"

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "analysis/table/table_builder.h"
#include "base/error.h"

namespace perfsift::analysis::gate_sides {  // a unity build compiles other tests in the same file
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Sides : public testing::Test {
 protected:
  // An input with one sample of each event in a function, and with more samples of the first event.
  SideInput input(const char* name, const std::vector<const char*>& events, std::uint64_t more = 0) {
    const FrameId frame = profile_.frames().intern("f", {.kind = FrameKind::user});
    const std::size_t number = profile_.lists().size();
    StackList& list = profile_.new_list();
    for (const char* const event : events) {
      list.add(profile_.event(event), std::vector{frame}, {.samples = 1 + std::exchange(more, 0), .value = 1});
    }
    tables_.push_back(TableBuilder().seal(profile_, number, number + 1));
    return {.runs = {{.name = name}}, .table = tables_.back()};
  }
  JudgedSides judged(const SideInputs& before, const SideInputs& after) const {
    return judge_sides(profile_, before, after, {.rules = {}, .allowed = none_});
  }

  Profile profile_;
  std::deque<SampleTable> tables_;
  std::set<std::string, std::less<>> none_;
};

TEST_F(Sides, AreComparedByTheEventThatBothHave) {
  const SideInputs before{.inputs = {input("before", {"cycles", "faults"}, 7)}};
  const SideInputs after{.inputs = {input("after", {"cycles", "misses"}, 8)}};
  const JudgedSides sides = judged(before, after);
  EXPECT_EQ(sides.verdict.event, "cycles");
  EXPECT_EQ(sides.before.samples(), 8u);
  EXPECT_EQ(sides.after.samples(), 9u);
  EXPECT_THAT(sides.notes, ElementsAre("not compared: the event faults is in the baseline only",
                                       "not compared: the event misses is in the candidate only"));
}

TEST_F(Sides, WithTwoCommonEventsNeedAChoice) {
  const SideInputs before{.inputs = {input("before", {"cycles", "faults"})}};
  const SideInputs after{.inputs = {input("after", {"cycles", "faults"}, 1)}};
  EXPECT_THROW(judged(before, after), UsageError);
}

TEST_F(Sides, WithoutACommonEventAreNotCounted) {
  const SideInputs before{.inputs = {input("before", {"cycles"})}};
  const SideInputs after{.inputs = {input("after", {"faults"})}};
  const JudgedSides sides = judged(before, after);
  EXPECT_FALSE(sides.stacks.has_value());
  ASSERT_EQ(sides.verdict.reasons.size(), 1u);
  EXPECT_THAT(sides.before.runs, IsEmpty());
}

TEST_F(Sides, CountARecordingOnce) {
  const SideInputs before{.inputs = {input("a", {"cycles"}, 4), input("b", {"cycles"}, 4), input("c", {"cycles"}, 5)}};
  const SideInputs after{.inputs = {input("d", {"cycles"}, 6)}};
  const JudgedSides sides = judged(before, after);
  EXPECT_EQ(sides.before.runs.size(), 2u);
  EXPECT_THAT(sides.notes, ElementsAre("not counted: b is the same recording as a"));
}

TEST_F(Sides, KnowWhichRunsAreOfOneBuild) {
  const SideInputs before{.inputs = {input("a", {"cycles"}, 1), input("b", {"cycles"}, 2)},
                          .builds = SideBuilds::one_of_each_input};
  const SideInputs after{.inputs = {input("c", {"cycles"}, 3), input("d", {"cycles"}, 4)}, .builds = SideBuilds::one};
  const JudgedSides sides = judged(before, after);
  EXPECT_THAT(sides.before.builds, ElementsAre(0, 1));
  EXPECT_THAT(sides.after.builds, ElementsAre(0, 0));
}

TEST_F(Sides, AloneHaveTheSamplesOfAllEvents) {
  const SideInputs candidate{.inputs = {input("candidate", {"cycles", "faults"}, 2)}};
  const JudgedSides side = look_at_side(profile_, candidate, false, {.rules = {}, .allowed = none_});
  EXPECT_EQ(side.verdict.event, "cycles, faults");
  EXPECT_EQ(side.after.samples(), 4u);
  EXPECT_THROW(look_at_side(profile_, candidate, true, {.rules = {}, .allowed = none_}), UsageError);
}

}  // namespace
}  // namespace perfsift::analysis::gate_sides
