#include "analysis/samples/stack_builder.h"

#include <gtest/gtest.h>

namespace perfsift::analysis {
namespace {

// Builds a stack from frames in order from leaf to root, where a leading 'k' marks kernel frames, and prints the stack
// root first.
class StackBuilderTest : public ::testing::Test {
 protected:
  std::string build(const StackShape& shape, std::initializer_list<std::string_view> frames,
                    std::optional<std::string_view> comm = std::nullopt) {
    StackBuilder stack(shape, frames_);
    stack.begin();
    for (const std::string_view frame : frames) {
      const bool kernel = frame.front() == 'k';
      if (stack.wants(kernel)) stack.add(frames_.intern(frame), kernel);
    }
    if (stack.nothing_of_part()) return "nothing";
    std::string text;
    const auto thread = comm ? std::optional(frames_.intern(*comm)) : std::nullopt;
    for (const FrameId frame : stack.finish(thread)) text.append(text.empty() ? "" : ";").append(frames_.text(frame));
    return text;
  }
  FrameTable frames_;
};

TEST_F(StackBuilderTest, TheRootComesFirstBelowTheThread) {
  EXPECT_EQ(build({}, {"k_leaf", "main"}), "main;k_leaf");
  EXPECT_EQ(build({}, {"k_leaf", "main"}, "app"), "app;main;k_leaf");
  EXPECT_EQ(build({}, {}, "app"), "app");
}

TEST_F(StackBuilderTest, APartWithoutFramesIsNothing) {
  EXPECT_EQ(build({.part = StackPart::kernel_only}, {"k1", "k2", "u1"}), "k2;k1");
  EXPECT_EQ(build({.part = StackPart::user_only}, {"k1", "k2", "u1"}), "u1");
  EXPECT_EQ(build({.part = StackPart::kernel_only}, {"u1"}), "nothing");
  EXPECT_EQ(build({.part = StackPart::all}, {}), "");
}

TEST_F(StackBuilderTest, TheDepthIsCountedFromTheRootWithoutTheThread) {
  EXPECT_EQ(build({.max_depth = 2}, {"c", "b", "a"}, "app"), "app;a;b");
  EXPECT_EQ(build({.max_depth = 3}, {"c", "b", "a"}, "app"), "app;a;b;c");
}

TEST_F(StackBuilderTest, TheDelimiterStandsBetweenUserAndKernel) {
  const StackShape shape{.delimiter = "-"};
  EXPECT_EQ(build(shape, {"k1", "k2", "u1", "u2"}), "u2;u1;-;k2;k1");
  EXPECT_EQ(build(shape, {"k1"}), "k1");
  EXPECT_EQ(build(shape, {"u1"}), "u1");
}

TEST_F(StackBuilderTest, TheDelimiterIsAFrameLikeAnyOther) {
  EXPECT_EQ(build({.delimiter = "a;b"}, {"k1", "u1"}), "u1;a:b;k1");
}

TEST_F(StackBuilderTest, OneBuilderMakesManyStacks) {
  StackBuilder stack({}, frames_);
  for (const std::string_view name : {"a", "b"}) {
    stack.begin();
    stack.add(frames_.intern(name), false);
    const auto frames = stack.finish(std::nullopt);
    ASSERT_EQ(frames.size(), 1u);
    EXPECT_EQ(frames_.text(frames[0]), name);
  }
}

}  // namespace
}  // namespace perfsift::analysis
