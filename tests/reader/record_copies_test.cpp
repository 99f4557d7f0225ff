#include "reader/record_copies.h"

#include <deque>

#include <gtest/gtest.h>

namespace perfsift::reader {
namespace {

std::vector<std::byte> record_of(std::size_t size, unsigned char value) {
  return std::vector<std::byte>(size, std::byte{value});
}

TEST(RecordCopies, AreEqualToTheRecords) {
  RecordCopies copies;
  const std::byte* first = copies.add(record_of(24, 1));
  const std::byte* second = copies.add(record_of(65535, 2));
  EXPECT_EQ(first[0], std::byte{1});
  EXPECT_EQ(first[23], std::byte{1});
  EXPECT_EQ(second[65534], std::byte{2});
}

TEST(RecordCopies, MemoryIsFreedWithTheRecords) {
  RecordCopies copies;
  std::deque<const std::byte*> live;
  const auto record = record_of(1000, 1);
  for (int i = 0; i < 100'000; ++i) {  // 100 MB, of which 2 MB are live at any time
    live.push_back(copies.add(record));
    if (live.size() > 2000) {
      copies.drop(live.front());
      live.pop_front();
    }
    ASSERT_LE(copies.blocks(), 4u);
  }
}

TEST(RecordCopies, ABlockWithoutRecordsInUseIsFilledAgain) {
  RecordCopies copies;
  const auto record = record_of(60'000, 1);
  for (int i = 0; i < 1000; ++i) copies.drop(copies.add(record));
  EXPECT_EQ(copies.blocks(), 1u);
}

}  // namespace
}  // namespace perfsift::reader
