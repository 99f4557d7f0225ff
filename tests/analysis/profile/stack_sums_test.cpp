#include "analysis/profile/stack_sums.h"

#include <map>

#include <gtest/gtest.h>

namespace perfsift::analysis {
namespace {

void add(Profile& profile, std::string_view event, std::initializer_list<std::string_view> frames,
         std::uint64_t value) {
  std::vector<FrameId> ids;
  for (const std::string_view frame : frames) ids.push_back(profile.frames().intern(frame));
  profile.new_list().add(profile.event(event), ids, {.samples = 1, .value = value});
}

using Values = std::map<std::string, std::uint64_t>;

// The values by "event: root;leaf". A stack that occurs twice is a failure.
Values values(const Profile& profile) {
  Values result;
  std::vector<FrameId> frames;
  for (const StackList& list : profile.lists()) {
    for (const StackList::Entry& entry : list.entries()) {
      profile.get_frames(entry, frames);
      std::string text = profile.events()[profile.callers(entry.callers).event] + ':';
      for (const FrameId frame : frames) text.append(" ").append(profile.frames().text(frame));
      EXPECT_TRUE(result.emplace(text, entry.amount.value).second) << text;
    }
  }
  return result;
}

TEST(StackSums, EqualStacksOfProfilesThatNumberTheirFramesDifferentlyAreAddedUp) {
  Profile first, second, total;
  add(first, "cycles", {"main", "run"}, 1);
  add(first, "cycles", {"main"}, 2);
  add(first, "cycles", {"main", "run"}, 4);
  add(second, "cycles", {"run"}, 8);
  add(second, "cycles", {"main", "run"}, 16);
  StackSums sums(total);
  sums.add(first);
  sums.add(second);
  EXPECT_EQ(values(total), (Values{{"cycles: main run", 21}, {"cycles: main", 2}, {"cycles: run", 8}}));
}

TEST(StackSums, EventsAreKnownByTheirNames) {
  Profile first, second, total;
  add(first, "cycles", {"main"}, 1);
  add(first, "faults", {"main"}, 2);
  add(second, "faults", {"main"}, 4);
  StackSums sums(total);
  sums.add(first);
  sums.add(second);
  EXPECT_EQ(values(total), (Values{{"cycles: main", 1}, {"faults: main", 6}}));
}

TEST(StackSums, StacksWithoutFramesKeepTheirValue) {
  Profile first, second, total;
  add(first, "cycles", {}, 1);
  add(first, "cycles", {"main"}, 2);
  add(second, "cycles", {}, 4);
  StackSums sums(total);
  sums.add(first);
  sums.add(second);
  sums.add(total.event("cycles"), {}, {.samples = 1, .value = 8});
  EXPECT_EQ(values(total), (Values{{"cycles: main", 2}}));
  EXPECT_EQ(total.lists().front().frameless(), (Amount{3, 13}));
}

TEST(StackSums, ManyTimesTheSameTakesNoMoreThanOnce) {
  Profile part, total;
  for (int i = 0; i < 1000; ++i) add(part, "", {"main", std::to_string(i)}, 1);
  StackSums sums(total);
  for (int i = 0; i < 5; ++i) sums.add(part);
  ASSERT_EQ(total.lists().size(), 1u);
  EXPECT_EQ(total.lists().front().entries().size(), 1000u);
  EXPECT_EQ(values(total)["[no event]: main 999"], 5u);
}

}  // namespace
}  // namespace perfsift::analysis
