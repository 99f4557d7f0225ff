#include "reader/record_keeper.h"

#include <deque>

#include <gtest/gtest.h>

namespace perfsift::reader {
namespace {

std::vector<std::byte> record_of(std::size_t size, unsigned char value) {
  return std::vector<std::byte>(size, std::byte{value});
}

TEST(RecordKeeper, GivesBackWhatItWasGiven) {
  RecordKeeper keeper;
  const std::byte* first = keeper.keep(record_of(24, 1));
  const std::byte* second = keeper.keep(record_of(65535, 2));
  EXPECT_EQ(first[0], std::byte{1});
  EXPECT_EQ(first[23], std::byte{1});
  EXPECT_EQ(second[65534], std::byte{2});
}

TEST(RecordKeeper, MemoryGoesWithTheRecords) {
  RecordKeeper keeper;
  std::deque<const std::byte*> kept;
  const auto record = record_of(1000, 1);
  for (int i = 0; i < 100'000; ++i) {  // 100 MB, of which 2 MB are kept at any time
    kept.push_back(keeper.keep(record));
    if (kept.size() > 2000) {
      keeper.release(kept.front());
      kept.pop_front();
    }
    ASSERT_LE(keeper.blocks(), 4u);
  }
}

TEST(RecordKeeper, ABlockIsFilledAgainWhenNothingInItIsNeeded) {
  RecordKeeper keeper;
  const auto record = record_of(60'000, 1);
  for (int i = 0; i < 1000; ++i) keeper.release(keeper.keep(record));
  EXPECT_EQ(keeper.blocks(), 1u);
}

}  // namespace
}  // namespace perfsift::reader
