#include "base/byte_reader.h"

#include <gtest/gtest.h>

namespace perfsift {
namespace {

TEST(ByteReader, ReadingPastTheEndGivesZerosAndIsRemembered) {
  const std::uint16_t word = 0x1234;
  ByteReader in(std::as_bytes(std::span(&word, 1)));
  EXPECT_EQ(in.u32(), 0u);
  EXPECT_FALSE(in.ok());
  EXPECT_EQ(in.u8(), 0u);
}

TEST(ByteReader, SwapsNumbersOfAForeignByteOrder) {
  const std::uint32_t word = 0x12345678;
  ByteReader in(std::as_bytes(std::span(&word, 1)), ByteOrder::swapped);
  EXPECT_EQ(in.u32(), 0x78563412u);
  EXPECT_TRUE(in.ok());
}

TEST(ByteReader, ACountLargerThanWhatIsLeftIsRefusedBeforeItIsMultiplied) {
  const std::uint64_t word = 1;
  ByteReader in(std::as_bytes(std::span(&word, 1)));
  EXPECT_TRUE(in.array<std::uint64_t>(0x2000000000000001).empty());
  EXPECT_FALSE(in.ok());
}

}  // namespace
}  // namespace perfsift
