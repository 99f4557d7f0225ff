// The tree of stacks, compared with sums over all beginnings of all stacks.

#include "analysis/profile/call_tree.h"

#include <map>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfsift::analysis {
namespace {

using Frames = std::vector<std::string>;
using Node = CallTree::Node;

std::string text_of(const CallTree& tree, Node node) {
  std::string text;
  for (; node != CallTree::root; node = tree.parent(node)) {
    if (!text.empty()) text.insert(0, ";");
    text.insert(0, tree.profile().frames().text(tree.frame(node)));
  }
  return text;
}

// A line for each node: "a;b total self", in the order of the nodes.
std::vector<std::string> lines(const CallTree& tree, const TreeAmounts& amounts) {
  std::vector<std::string> result;
  for (Node node = 1; node < tree.size(); ++node) {
    result.push_back(text_of(tree, node) + ' ' + std::to_string(amounts.total(node).value) + ' ' +
                     std::to_string(amounts.self(node).value));
  }
  return result;
}

class Tree : public ::testing::Test {
 protected:
  void add(const Frames& frames, std::uint64_t value, std::string_view event = "cycles") {
    std::vector<FrameId> ids;
    for (const std::string& frame : frames) ids.push_back(profile_.frames().intern(frame));
    list_.add(profile_.event(event), ids, {.samples = 1, .value = value});
  }
  std::vector<std::string> lines(const TreeShape& shape = {.event_frames = false}) {
    const CallTree tree(profile_, shape, 2);
    return analysis::lines(tree, TreeAmounts(tree));
  }

  Profile profile_;
  StackList& list_ = profile_.new_list();
};

TEST_F(Tree, CallersAreSharedAndSubtreesAreRanges) {
  add({"a", "b", "c"}, 5);
  add({"e"}, 1);
  add({"a", "d"}, 3);
  add({"a", "b"}, 2);
  EXPECT_THAT(lines(), testing::ElementsAre("a 10 0", "a;b 7 2", "a;b;c 5 5", "a;d 3 3", "e 1 1"));
  const CallTree tree(profile_, {.event_frames = false}, 1);
  EXPECT_EQ(tree.size(), 6u);
  EXPECT_EQ(tree.end(CallTree::root), 6u);
  EXPECT_EQ(tree.end(1), 5u);
  EXPECT_EQ(tree.end(2), 4u);
  EXPECT_EQ(tree.depth(3), 3u);
  EXPECT_EQ(tree.node_of(0), 3u);
  EXPECT_EQ(tree.node_of(1), 5u);
  EXPECT_EQ(tree.node_of(3), 2u);
  EXPECT_EQ(TreeAmounts(tree).total(CallTree::root), (Amount{4, 11}));
}

// In lines of text, "a(int);x" comes between "a" and "a;b".
TEST_F(Tree, AStackIsTheParentOfTheStacksThatBeginWithIt) {
  add({"a", "b"}, 1);
  add({"a(int)", "x"}, 2);
  add({"a"}, 4);
  EXPECT_THAT(lines(), testing::ElementsAre("a 5 4", "a;b 1 1", "a(int) 2 0", "a(int);x 2 2"));
}

TEST_F(Tree, ReversedStacksBeginWithTheirLeaf) {
  add({"a", "b", "c"}, 5);
  add({"d", "c"}, 1);
  add({"a"}, 2);
  EXPECT_THAT(lines({.reversed = true, .event_frames = false}),
              testing::ElementsAre("a 2 2", "c 6 0", "c;b 5 0", "c;b;a 5 5", "c;d 1 1"));
}

TEST_F(Tree, EventsAreTheFirstFramesInEveryShape) {
  add({"a", "b"}, 5, "cycles");
  add({"a"}, 1, "faults");
  EXPECT_THAT(lines({}),
              testing::ElementsAre("cycles 5 0", "cycles;a 5 0", "cycles;a;b 5 5", "faults 1 0", "faults;a 1 1"));
  EXPECT_THAT(lines({.reversed = true}),
              testing::ElementsAre("cycles 5 0", "cycles;b 5 0", "cycles;b;a 5 5", "faults 1 0", "faults;a 1 1"));
}

TEST_F(Tree, WithoutThreadsStacksOfAllThreadsAreOne) {
  const FrameId one = profile_.frames().intern("one", {.kind = FrameKind::thread});
  const FrameId other = profile_.frames().intern("other", {.kind = FrameKind::thread});
  const FrameId main = profile_.frames().intern("main");
  const EventId event = profile_.event("cycles");
  list_.add(event, std::vector{one, main}, {.samples = 1, .value = 1});
  list_.add(event, std::vector{other, main}, {.samples = 1, .value = 2});
  list_.add(event, std::vector{other}, {.samples = 1, .value = 4});
  EXPECT_THAT(lines({.without_threads = true, .event_frames = false}), testing::ElementsAre("main 3 3", "other 4 4"));
}

TEST_F(Tree, FramesOfOneTextInSeveralBinariesAreSeveralNodes) {
  const std::uint32_t first = profile_.frames().binary({.path = "/bin/b", .build_id = {}});
  const std::uint32_t second = profile_.frames().binary({.path = "/bin/a", .build_id = {}});
  const FrameId in_b = profile_.frames().intern("main", {.kind = FrameKind::user, .binary = first});
  const FrameId in_a = profile_.frames().intern("main", {.kind = FrameKind::user, .binary = second});
  const EventId event = profile_.event("cycles");
  list_.add(event, std::vector{in_b}, {.samples = 1, .value = 1});
  list_.add(event, std::vector{in_a}, {.samples = 1, .value = 2});
  EXPECT_THAT(lines(), testing::ElementsAre("main 2 2", "main 1 1"));
}

TEST_F(Tree, ByFunctionBuildsOfABinaryAreOne) {
  const auto frame_in = [&](const char* name, const char* path) {
    return profile_.frames().intern(
        name, {.kind = FrameKind::user, .binary = profile_.frames().binary({.path = path, .build_id = {}})});
  };
  const EventId event = profile_.event("cycles");
  list_.add(event, std::vector{frame_in("main", "/old/app"), frame_in("f", "/old/app")}, {.samples = 1, .value = 1});
  list_.add(event, std::vector{frame_in("main", "/bin/zsh"), frame_in("f", "/old/app")}, {.samples = 1, .value = 2});
  list_.add(event, std::vector{frame_in("main", "/new/app"), frame_in("f", "/new/app")}, {.samples = 1, .value = 4});
  EXPECT_THAT(lines({.event_frames = false, .by_function = true}),
              testing::ElementsAre("main 5 0", "main;f 5 5", "main 2 0", "main;f 2 2"));
  EXPECT_EQ(lines().size(), 6u);
}

TEST_F(Tree, AmountsOfSomeSamplesHaveTheSameShape) {
  add({"a", "b"}, 5);
  add({"a", "c"}, 1);
  const CallTree tree(profile_, {.event_frames = false}, 1);
  std::vector<Amount> by_node(tree.size());
  by_node[tree.node_of(1)] += {.samples = 7, .value = 70};
  const TreeAmounts amounts(tree, by_node);
  EXPECT_EQ(amounts.total(CallTree::root), (Amount{7, 70}));
  EXPECT_EQ(amounts.total(tree.node_of(0)), (Amount{0, 0}));
  EXPECT_EQ(amounts.self(tree.node_of(1)), (Amount{7, 70}));
}

TEST_F(Tree, AnEmptyProfileHasOnlyTheRoot) {
  list_.add_frameless({.samples = 2, .value = 3});
  const CallTree tree(profile_, {}, 2);
  EXPECT_EQ(tree.size(), 1u);
  EXPECT_EQ(tree.end(CallTree::root), 1u);
  EXPECT_EQ(TreeAmounts(tree).total(CallTree::root), (Amount{2, 3}));
}

// Random stacks in several lists, enough for several ranges of the sort, with 16 and with 32 bits for each frame.
TEST(RandomTree, TotalsAreTheSumsOverAllBeginningsOfAllStacks) {
  for (const std::size_t names : {std::size_t{7}, std::size_t{70'000}}) {
    std::mt19937 random(20261124);
    Profile profile;
    for (std::size_t i = 0; i < names; ++i) profile.frames().intern("f" + std::to_string(i));
    std::map<std::string, std::uint64_t> totals;
    for (int i = 0; i < 3; ++i) {
      StackList& list = profile.new_list();
      for (int stack = 0; stack < 5000; ++stack) {
        std::vector<FrameId> frames;
        std::string text;
        const std::uint64_t value = random() % 100;
        const std::size_t depth = 1 + random() % 9;
        for (std::size_t frame = 0; frame < depth; ++frame) {
          frames.push_back(static_cast<FrameId>(random() % (random() % 4 == 0 ? names : 3)));
          text += (text.empty() ? "" : ";") + std::string(profile.frames().text(frames.back()));
          totals[text] += value;
        }
        list.add(profile.event("cycles"), frames, {.samples = 1, .value = value});
      }
    }
    const CallTree tree(profile, {.event_frames = false}, 2);
    const TreeAmounts amounts(tree);
    std::map<std::string, std::uint64_t> seen;
    for (Node node = 1; node < tree.size(); ++node) {
      const bool is_new = seen.emplace(text_of(tree, node), amounts.total(node).value).second;
      EXPECT_TRUE(is_new) << text_of(tree, node);
      EXPECT_LT(tree.parent(node), node);
      EXPECT_LE(tree.end(node), tree.end(tree.parent(node)));
      EXPECT_EQ(tree.depth(node), tree.depth(tree.parent(node)) + 1);
    }
    EXPECT_TRUE(seen == totals) << names;
    std::vector<FrameId> frames;
    std::uint32_t number = 0;
    for (const StackList& list : profile.lists()) {
      for (const StackList::Entry& entry : list.entries()) {
        profile.get_frames(entry, frames);
        const Node node = tree.node_of(number++);
        ASSERT_EQ(tree.depth(node), frames.size());
        EXPECT_EQ(tree.frame(node), frames.back());
      }
    }
  }
}

}  // namespace
}  // namespace perfsift::analysis
