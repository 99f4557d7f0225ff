// The bytes of columns, computed by hand.

#include "output/page/columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfsift::output {
namespace {

using Numbers = std::vector<std::uint64_t>;
using Words = std::vector<std::uint32_t>;

std::string bytes_of(const Columns& columns) {
  std::string bytes;
  for (const GzipPart& part : columns.parts()) bytes += part.bytes;
  return bytes;
}

TEST(PageColumns, PlanesOfBytesLowestFirst) {
  Columns columns;
  EXPECT_EQ(columns.add(Numbers{1, 0x203}).dump(), R"({"count":2,"at":0,"planes":2})");
  EXPECT_EQ(bytes_of(columns), std::string("\x01\x03\x00\x02", 4));
  EXPECT_EQ(columns.add(Numbers{7, 8, 9}).dump(), R"({"count":3,"at":4,"planes":1})");
  EXPECT_EQ(bytes_of(columns).substr(4), "\x07\x08\x09");
}

TEST(PageColumns, EqualNumbersHaveNoBytes) {
  Columns columns;
  EXPECT_EQ(columns.add(Numbers{5, 5, 5}).dump(), R"({"count":3,"all":5})");
  EXPECT_EQ(columns.add(Numbers{}).dump(), R"({"count":0,"all":0})");
  EXPECT_EQ(bytes_of(columns), "");
}

TEST(PageColumns, NumbersThatJsonCannotHold) {
  Columns columns;
  const std::uint64_t large = ~std::uint64_t{0};
  EXPECT_EQ(columns.add(Numbers{large}).dump(), R"({"count":1,"at":0,"planes":8})");
  EXPECT_EQ(bytes_of(columns), std::string(8, '\xff'));
}

// Of 256 numbers, at most two may be larger than the others.
TEST(PageColumns, FewLargeNumbersStandInAList) {
  Columns columns;
  Numbers numbers(256, 7);
  numbers[3] = 0x1'0000'0001, numbers[200] = 0x102;
  EXPECT_EQ(columns.add(numbers).dump(), R"({"count":256,"at":0,"planes":1,)"
                                         R"("large":{"place":{"count":2,"at":256,"planes":1,"differences":true},)"
                                         R"("number":{"count":2,"at":258,"planes":5}}})");
  std::string low(256, '\x07');
  low[3] = '\x01', low[200] = '\x02';
  EXPECT_EQ(bytes_of(columns), low + std::string("\x03\xc5\x01\x02\x00\x01\x00\x00\x00\x00\x01\x00", 12));
}

TEST(PageColumns, MoreLargeNumbersHavePlanes) {
  Columns columns;
  Numbers numbers(256, 7);
  numbers[3] = numbers[4] = numbers[5] = 0x102;
  EXPECT_EQ(columns.add(numbers).dump(), R"({"count":256,"at":0,"planes":2})");
}

TEST(PageColumns, AFewNumbersOtherThanZeroAreOnlyInTheList) {
  Columns columns;
  Words words(1000, 0);
  words[999] = 1;
  EXPECT_EQ(columns.add(words).dump(),
            R"({"count":1000,"at":0,"planes":0,)"
            R"("large":{"place":{"count":1,"all":999,"differences":true},"number":{"count":1,"all":1}}})");
}

TEST(PageColumns, ThreadsDoNotChangeTheBytes) {
  Words words;
  Numbers numbers;
  for (std::uint32_t i = 0; i < 300'000; ++i) {
    words.push_back(i * 2654435761u);
    numbers.push_back(std::uint64_t{i} << 20);
  }
  Columns one(1), many(5);
  for (Columns* const columns : {&one, &many}) {
    EXPECT_EQ(columns->add(words).dump(), R"({"count":300000,"at":0,"planes":4})");
    EXPECT_EQ(columns->add(numbers).dump(), R"({"count":300000,"at":1200000,"planes":5})");
    EXPECT_EQ(columns->add_differences(words).dump(), R"({"count":300000,"at":2700000,"planes":4,"differences":true})");
  }
  EXPECT_TRUE(bytes_of(one) == bytes_of(many));
  EXPECT_EQ(bytes_of(one)[2'700'001], static_cast<char>(2654435761u & 0xff));
}

TEST(PageColumns, DifferencesWrap) {
  Columns columns;
  EXPECT_EQ(columns.add_differences(Words{10, 12, 11}).dump(), R"({"count":3,"at":0,"planes":4,"differences":true})");
  EXPECT_EQ(bytes_of(columns), std::string("\x0a\x02\xff\x00\x00\xff\x00\x00\xff\x00\x00\xff", 12));
}

}  // namespace
}  // namespace perfsift::output
