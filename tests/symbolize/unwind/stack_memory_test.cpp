// Stack memory from earlier samples.
#include "symbolize/unwind/stack_memory.h"

#include <vector>

#include <gtest/gtest.h>

#include "symbolize/unwind/stack_reader.h"
#include "tests/support/bytes.h"

namespace perfsift::symbolize {
namespace {

// `words` words with the same value.
std::vector<std::byte> stack_of(std::uint64_t value, unsigned words) {
  test::BytesBuilder bytes;
  for (unsigned i = 0; i < words; ++i) bytes.u64(value);
  return bytes.take();
}

TEST(StackMemory, TheNewestOfEachPlaceIsKnown) {
  StackMemory memory(1 << 20);
  memory.remember(0x1080, stack_of(1, 16));  // to 0x1100
  memory.remember(0x1040, stack_of(2, 16));  // to 0x10c0
  EXPECT_EQ(memory.read(0x1040, 8), 2u);
  EXPECT_EQ(memory.read(0x10b8, 8), 2u);
  EXPECT_EQ(memory.read(0x10c0, 8), 1u);
  EXPECT_EQ(memory.read(0x10f8, 8), 1u);
  EXPECT_EQ(memory.read(0x10f8, 4), 1u);
  EXPECT_EQ(memory.read(0x10fc, 8), std::nullopt);
  EXPECT_EQ(memory.read(0x1100, 8), std::nullopt);
  EXPECT_EQ(memory.bytes(), 0xc0u);
}

TEST(StackMemory, WhatLiesBelowTheStackPointerIsForgotten) {
  StackMemory memory(1 << 20);
  memory.remember(0x1000, stack_of(1, 32));
  memory.remember(0x1080, stack_of(2, 2));
  EXPECT_EQ(memory.read(0x1000, 8), std::nullopt);
  EXPECT_EQ(memory.read(0x1080, 8), 2u);
  EXPECT_EQ(memory.read(0x1090, 8), 1u);
}

TEST(StackMemory, WhatWasLearntFirstIsForgottenFirst) {
  StackMemory memory(0x100);
  memory.remember(0x3000, stack_of(1, 16));
  memory.remember(0x2000, stack_of(2, 16));
  memory.remember(0x1000, stack_of(3, 1));
  EXPECT_EQ(memory.read(0x3000, 8), std::nullopt);
  EXPECT_EQ(memory.read(0x2000, 8), 2u);
  EXPECT_EQ(memory.read(0x1000, 8), 3u);
  EXPECT_LE(memory.bytes(), 0x100u);
}

TEST(StackMemory, AStackAtTheEndOfMemoryIsCut) {
  StackMemory memory(1 << 20);
  memory.remember(~std::uint64_t{0} - 8, stack_of(1, 4));
  EXPECT_EQ(memory.read(~std::uint64_t{0} - 8, 8), 1u);
  EXPECT_EQ(memory.read(0, 8), std::nullopt);
}

// A sample in an epilogue: the function has already released the memory below the stack pointer. So this memory must
// not be read, although an earlier sample has a copy of it.
TEST(StackMemory, IsOnlyAskedForWhatLiesAboveTheSamplesOwnCopy) {
  StackMemory memory(1 << 20);
  memory.remember(0x1000, stack_of(1, 32));
  const std::vector<std::byte> copy = stack_of(2, 2);
  StackReader reader({.stack = copy, .earlier = &memory}, 0x1080, 8);
  EXPECT_EQ(reader.word(0x1078), std::nullopt);
  EXPECT_FALSE(reader.used_earlier());
  EXPECT_EQ(reader.word(0x1088), 2u);
  EXPECT_FALSE(reader.used_earlier());
  EXPECT_EQ(reader.word(0x1090), 1u);
  EXPECT_TRUE(reader.used_earlier());
}

}  // namespace
}  // namespace perfsift::symbolize
