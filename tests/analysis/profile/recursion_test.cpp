// Stacks without recursion. The expected stacks are worked out by hand.

#include "analysis/profile/recursion.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

namespace perfsift::analysis::recursion_tests {  // a unity build compiles other tests in the same file
namespace {

using testing::ElementsAre;

class CollapsedRecursion : public testing::Test {
 protected:
  FrameId frame(const std::string& text, const FrameOrigin& origin = {.kind = FrameKind::user}) {
    return profile_.frames().intern(text, origin);
  }
  void add(const std::vector<std::string>& functions, StackList& list) {
    std::vector<FrameId> frames{frame("f", {.kind = FrameKind::thread})};
    for (const std::string& function : functions) frames.push_back(frame(function));
    list.add(event_, frames, {.samples = 1, .value = 10});
  }
  // The collapsed stacks in the order of their numbers.
  std::vector<std::string> collapsed(Recursion recursion, std::size_t max_depth = 0) {
    collapse_recursion(profile_, {.max_depth = max_depth, .recursion = recursion});
    std::vector<std::string> stacks;
    std::vector<FrameId> frames;
    for (const StackList::Entry* entry : profile_.stacks()) {
      profile_.get_frames(*entry, frames);
      std::vector<std::string_view> texts;
      for (const FrameId each : frames) texts.push_back(profile_.frames().text(each));
      stacks.push_back(fmt::format("{} {}", fmt::join(texts, ";"), entry->amount.value));
    }
    return stacks;
  }

  Profile profile_;
  const EventId event_ = profile_.event("cycles");
  StackList& list_ = profile_.new_list();
};

TEST_F(CollapsedRecursion, DirectIsOfCallsByTheFunctionItself) {
  for (const auto& stack :
       std::vector<std::vector<std::string>>{{"f", "f", "f"}, {"f", "g", "f"}, {"a", "f", "f", "g", "g", "f"}, {"a"}})
    add(stack, list_);
  EXPECT_THAT(collapsed(Recursion::direct), ElementsAre("f;f 10", "f;f;g;f 10", "f;a;f;g;f 10", "f;a 10"));
}

TEST_F(CollapsedRecursion, CyclesEndWithTheLastCallOfEachFunction) {
  for (const auto& stack : std::vector<std::vector<std::string>>{
           {"f", "f", "f"}, {"f", "g", "f"}, {"a", "b", "c", "b", "a", "d"}, {"a", "b", "c", "b", "c", "e"}})
    add(stack, list_);
  EXPECT_THAT(collapsed(Recursion::cycles), ElementsAre("f;f 10", "f;f 10", "f;a;d 10", "f;a;b;c;e 10"));
}

TEST_F(CollapsedRecursion, CutsWhatIsLeft) {
  add({"f", "f", "f", "g", "h"}, list_);
  add({"f", "f"}, list_);
  EXPECT_THAT(collapsed(Recursion::direct, 2), ElementsAre("f;f;g 10", "f;f 10"));
}

// Calls of a function from different lines are calls of one function, and the last call stays.
TEST_F(CollapsedRecursion, TheLastCallStays) {
  const FrameId outer = frame("f", {.kind = FrameKind::user, .line = 10}),
                inner = frame("f", {.kind = FrameKind::user, .inlined = true, .line = 12}), leaf = frame("g");
  list_.add(event_, std::vector{outer, inner, leaf}, {.samples = 1, .value = 1});
  collapse_recursion(profile_, {.recursion = Recursion::direct});
  std::vector<FrameId> frames;
  profile_.get_frames(list_.entries()[0], frames);
  EXPECT_THAT(frames, ElementsAre(inner, leaf));
}

TEST_F(CollapsedRecursion, OfSharedCallersInAnotherList) {
  const CallersId callers = list_.add_callers(event_, std::vector{frame("a"), frame("f"), frame("f")});
  StackList& other = profile_.new_list();
  list_.add(callers, frame("g"), {.samples = 1, .value = 1});
  other.add(callers, frame("f"), {.samples = 1, .value = 2});
  other.add(callers, frame("h"), {.samples = 1, .value = 3});
  EXPECT_THAT(collapsed(Recursion::direct), ElementsAre("a;f;g 1", "a;f 2", "a;f;h 3"));
}

TEST_F(CollapsedRecursion, FramesWithoutANameStay) {
  const FrameId unnamed = frame("[app]", {.kind = FrameKind::user, .unnamed = true});
  list_.add(event_, std::vector{unnamed, unnamed, frame("f"), unnamed}, {.samples = 1, .value = 1});
  EXPECT_THAT(collapsed(Recursion::cycles), ElementsAre("[app];[app];f;[app] 1"));
}

}  // namespace
}  // namespace perfsift::analysis::recursion_tests
