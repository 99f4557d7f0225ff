#include "analysis/input/folded_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfsift::analysis {
namespace {

struct Stack {
  std::vector<std::string> frames;
  std::uint64_t count;
  double fraction;
  bool operator==(const Stack&) const = default;
};

struct ReadFolded {
  std::vector<Stack> stacks;
  FoldedTextStats stats;
};

ReadFolded read_folded(std::initializer_list<std::string_view> lines) {
  ReadFolded result;
  FoldedText reader([&](const FoldedStack& stack) {
    result.stacks.push_back({{stack.frames.begin(), stack.frames.end()}, stack.count, stack.fraction});
  });
  for (const auto line : lines) reader.line(line);
  result.stats = reader.stats();
  return result;
}

TEST(FoldedText, FramesAreRootFirstAndTheLastSpaceSplits) {
  EXPECT_THAT(read_folded({"t_(x) y;main;f (int) 12"}).stacks,
              testing::ElementsAre(Stack{{"t_(x) y", "main", "f (int)"}, 12, 0}));
}

// flamegraph.pl reads the lines of difffolded.pl in this way.
TEST(FoldedText, EachStackHasOneCountOrEachHasTwo) {
  const auto counts = [](std::string_view text) { return folded_counts(text, false); };
  EXPECT_EQ(counts("# comment\na;b 10 20\n\na;c 5 0\n"), FoldedCounts::two);
  EXPECT_EQ(counts("a;b 10 20\na;c 5\n"), FoldedCounts::one);
  EXPECT_EQ(counts("a;b 10.5 20\n"), FoldedCounts::one);
  EXPECT_EQ(counts("10 20\n"), FoldedCounts::one);
  EXPECT_EQ(counts("nothing\n"), FoldedCounts::one);
  EXPECT_EQ(folded_counts("a;b 10 20\na;c 5", true), FoldedCounts::two);  // the last line is incomplete
}

TEST(FoldedText, TwoCounts) {
  std::vector<std::string> stacks;
  FoldedText reader(
      [&](const FoldedStack& stack) {
        stacks.push_back(std::string(stack.frames.back()) + " " + std::to_string(stack.before) + "/" +
                         std::to_string(stack.count));
      },
      FoldedCounts::two);
  for (const char* const line : {"a;b 3 10 20", "a;c 5 0\r", "a;d 7", "e 1 2.5"}) reader.line(line);
  EXPECT_THAT(stacks, testing::ElementsAre("b 3 10/20", "c 5/0"));
  EXPECT_EQ(reader.stats().malformed, 2u);
  EXPECT_EQ(reader.stats().first_malformed.number, 3u);
}

TEST(FoldedText, SpacesAtTheEndOfAFrameBelongToIt) {
  EXPECT_THAT(read_folded({"ab;std::function<void  7"}).stacks,
              testing::ElementsAre(Stack{{"ab", "std::function<void "}, 7, 0}));
}

TEST(FoldedText, FramesMayBeEmpty) {
  EXPECT_THAT(read_folded({"a;;b; 1"}).stacks, testing::ElementsAre(Stack{{"a", "", "b", ""}, 1, 0}));
}

TEST(FoldedText, CountsMayHaveAFraction) {
  EXPECT_THAT(read_folded({"a 3.25"}).stacks, testing::ElementsAre(Stack{{"a"}, 3, 0.25}));
}

TEST(FoldedText, WholeCountsAreExact) {
  EXPECT_THAT(read_folded({"a 18446744073709551615"}).stacks,
              testing::ElementsAre(Stack{{"a"}, 18446744073709551615u, 0}));
}

TEST(FoldedText, CarriageReturnsAndEmptyLinesMeanNothing) {
  const ReadFolded text = read_folded({"a 1\r", "", "\r", "b 2\r"});
  EXPECT_EQ(text.stats.stacks, 2u);
  EXPECT_EQ(text.stats.malformed, 0u);
  EXPECT_THAT(text.stacks.back(), (Stack{{"b"}, 2, 0}));
}

TEST(FoldedText, CommentsAreCounted) {
  const ReadFolded text = read_folded({"# made by a tool", "a 1"});
  EXPECT_EQ(text.stats.comments, 1u);
  EXPECT_EQ(text.stats.stacks, 1u);
}

TEST(FoldedText, WhatFlamegraphRefusesIsMalformed) {
  for (const char* line : {"a", "a b", "12", " 12", "a -1", "a 1e9", "a 1.", "a .5", "a 1.2.3",
                           "a 18446744073709551616", "a 2.76701161105643e+19", "a 0x10"}) {
    const ReadFolded text = read_folded({"ok 1", line, "bad"});
    EXPECT_EQ(text.stats.malformed, 2u) << line;
    EXPECT_EQ(text.stats.first_malformed.number, 2u) << line;
    EXPECT_EQ(text.stats.first_malformed.text, line);
  }
}

}  // namespace
}  // namespace perfsift::analysis
