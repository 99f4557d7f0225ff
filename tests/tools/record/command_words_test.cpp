#include "tools/record/command_words.h"

#include <gtest/gtest.h>

namespace perfsift::tools {
namespace {

// The options of `perf record` that differ in how they take values.
const std::vector<options::OptionFact> facts = {
    {.name = "--all-cpus", .letter = "-a", .value = "", .text = ""},
    {.name = "--call-graph", .letter = "", .value = "MODE", .text = ""},
    {.name = "--freq", .letter = "-F", .value = "HZ", .text = ""},
    {.name = "--compression-level", .letter = "-z", .value = "N", .text = "", .value_is_optional = true},
};

std::size_t before(const options::Arguments& words) { return words_before_command(words, facts); }

TEST(CommandWords, TheCommandBeginsWithTheFirstWordThatIsNoOption) {
  EXPECT_EQ(before({"sleep", "1"}), 0u);
  EXPECT_EQ(before({"-a", "sleep", "-a"}), 1u);
  EXPECT_EQ(before({"--all-cpus", "--call-graph", "dwarf", "sleep", "1"}), 3u);
}

TEST(CommandWords, AValueOfAnOptionIsNoCommand) {
  EXPECT_EQ(before({"-F", "99", "sleep"}), 2u);
  EXPECT_EQ(before({"-F99", "sleep"}), 1u);
  EXPECT_EQ(before({"-aF", "99", "sleep"}), 2u);
  EXPECT_EQ(before({"--freq=99", "sleep"}), 1u);
}

TEST(CommandWords, AnOptionalValueStandsBehindAnEqualSign) {
  EXPECT_EQ(before({"-z", "sleep"}), 1u);
  EXPECT_EQ(before({"--compression-level=3", "sleep"}), 1u);
}

TEST(CommandWords, DashesEndTheOptions) {
  EXPECT_EQ(before({"-a", "--", "-program"}), 2u);
  EXPECT_EQ(before({"--"}), 1u);
}

TEST(CommandWords, WithoutACommandAllWordsAreOptions) {
  EXPECT_EQ(before({"-a", "-F", "99"}), 3u);
  EXPECT_EQ(before({"-F"}), 1u);
}

}  // namespace
}  // namespace perfsift::tools
