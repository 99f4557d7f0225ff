#include "analysis/samples/stack_builder.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace perfsift::analysis {
namespace {

// Builds a stack from frames, from the leaf to the root. A leading 'k' marks kernel frames. Prints the stack root
// first.
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
    if (stack.unwanted()) return "nothing";
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

// The frames from the leaf to the root. An entry comes after the frame by which the kernel was entered.
TEST_F(StackBuilderTest, InterruptsStandApartFromWhatTheyInterrupted) {
  using filter::KernelEntry;
  const auto built = [&](const StackShape& shape, const std::vector<std::pair<const char*, KernelEntry>>& frames) {
    StackBuilder stack(shape, frames_);
    stack.begin();
    for (const auto& [frame, entry] : frames) {
      const bool kernel = frame[0] == 'k';
      if (stack.wants(kernel)) stack.add(frames_.intern(frame), kernel);
      stack.enter(entry);
    }
    stack.end();
    if (stack.unwanted()) return std::string("nothing");
    std::string text;
    for (const FrameId frame : stack.finish(frames_.intern("app")))
      text.append(text.empty() ? "" : ";").append(frames_.text(frame));
    return text;
  };
  const std::vector<std::pair<const char*, KernelEntry>> softirq{
      {"k_rx", KernelEntry::none},   {"k_softirqs", KernelEntry::softirq}, {"k_irq", KernelEntry::interrupt},
      {"k_read", KernelEntry::none}, {"k_syscall", KernelEntry::syscall},  {"main", KernelEntry::none}};
  EXPECT_EQ(built({.interrupts = Interrupts::apart}, softirq), "[softirq];k_irq;k_softirqs;k_rx");
  EXPECT_EQ(built({.interrupts = Interrupts::drop}, softirq), "nothing");
  EXPECT_EQ(built({.interrupts = Interrupts::apart, .max_depth = 1}, softirq), "[softirq];k_irq");
  EXPECT_EQ(built({.interrupts = Interrupts::apart, .delimiter = "-"}, softirq), "[softirq];k_irq;k_softirqs;k_rx");
  EXPECT_EQ(built({.part = StackPart::user_only, .interrupts = Interrupts::apart}, softirq), "[softirq]");
  const std::vector<std::pair<const char*, KernelEntry>> call{
      {"k_read", KernelEntry::none}, {"k_syscall", KernelEntry::syscall}, {"main", KernelEntry::none}};
  for (const Interrupts how : {Interrupts::apart, Interrupts::drop})
    EXPECT_EQ(built({.interrupts = how}, call), "app;main;k_syscall;k_read");
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
