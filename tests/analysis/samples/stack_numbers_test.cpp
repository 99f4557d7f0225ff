#include "analysis/samples/stack_numbers.h"

#include <vector>

#include <gtest/gtest.h>

namespace perfsift::analysis {
namespace {

using Entries = std::vector<Unaligned<std::uint64_t>>;

Entries stack(std::initializer_list<std::uint64_t> words) {
  Entries made(words.size());
  std::ranges::copy(words, made.begin());
  return made;
}

TEST(StackNumbers, EqualStacksHaveOneNumberWhereverTheyLie) {
  StackNumbers numbers;
  const Entries one = stack({1, 2, 3}), same = stack({1, 2, 3}), shorter = stack({1, 2}), other = stack({1, 2, 4});
  EXPECT_EQ(numbers.of({}, one), 0u);
  EXPECT_EQ(numbers.of({}, shorter), 1u);
  EXPECT_EQ(numbers.of({}, other), 2u);
  EXPECT_EQ(numbers.of({}, same), 0u);
  EXPECT_EQ(numbers.of({}, {}), 3u);
}

TEST(StackNumbers, TheSameWordsElsewhereAreAnotherStack) {
  StackNumbers numbers;
  const Entries words = stack({1, 2, 3});
  EXPECT_EQ(numbers.of({}, words), 0u);
  EXPECT_EQ(numbers.of({.maps = 1}, words), 1u);
  EXPECT_EQ(numbers.of({.kernel_maps = 1}, words), 2u);
  EXPECT_EQ(numbers.of({.code_version = 1}, words), 3u);
  EXPECT_EQ(numbers.of({.mode = reader::CpuMode::user}, words), 4u);
  EXPECT_EQ(numbers.of({.code_version = 1}, words), 3u);
}

TEST(StackNumbers, StayWhatTheyAreHoweverManyThereAre) {
  constexpr std::uint32_t many = 20'000;
  std::vector<Entries> stacks;
  for (std::uint64_t i = 0; i < many; ++i) stacks.push_back(stack({i, 7}));
  StackNumbers numbers;
  for (std::uint32_t i = 0; i < many; ++i) ASSERT_EQ(numbers.of({}, stacks[i]), i);
  for (std::uint32_t i = 0; i < many; ++i) ASSERT_EQ(numbers.of({}, stacks[i]), i);
}

}  // namespace
}  // namespace perfsift::analysis
