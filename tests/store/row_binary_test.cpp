#include "store/engine/row_binary.h"

#include <gmock/gmock.h>

#include "store/engine/parameters.h"

namespace perfsift::store {
namespace {

// What ClickHouse 26.5 answers in RowBinary to: SELECT toUInt32(1), 'a\'b', ['x','yz'], map('k','v'), toDateTime(7),
// toUInt128('340282366920938463463374607431768211454'), true, repeat('x', 200)
const std::string row_of_clickhouse = "\x01" + std::string(3, '\0') +
                                      "\x03"
                                      "a'b"
                                      "\x02\x01x\x02yz"
                                      "\x01\x01k\x01v"
                                      "\x07" +
                                      std::string(3, '\0') + "\xfe" + std::string(15, '\xff') +
                                      "\x01"
                                      "\xc8\x01" +
                                      std::string(200, 'x');

TEST(RowWriter, WritesWhatClickHouseWrites) {
  std::string bytes;
  RowWriter row(bytes);
  row.u32(1);
  row.text("a'b");
  row.count(2);
  row.text("x");
  row.text("yz");
  row.count(1);
  row.text("k");
  row.text("v");
  row.u32(7);
  row.id({.low = ~std::uint64_t{1}, .high = ~std::uint64_t{0}});
  row.boolean(true);
  row.text(std::string(200, 'x'));
  EXPECT_EQ(hex_digits(bytes), hex_digits(row_of_clickhouse));
}

TEST(RowReader, ReadsWhatClickHouseWrites) {
  RowReader row(row_of_clickhouse);
  EXPECT_EQ(row.u32(), 1);
  EXPECT_EQ(row.text(), "a'b");
  EXPECT_EQ(row.elements(), 2);
  EXPECT_EQ(row.text(), "x");
  EXPECT_EQ(row.text(), "yz");
  EXPECT_EQ(row.elements(), 1);
  EXPECT_EQ(row.text(), "k");
  EXPECT_EQ(row.text(), "v");
  EXPECT_EQ(row.u32(), 7);
  EXPECT_EQ(row.id(), (Hash128{.low = ~std::uint64_t{1}, .high = ~std::uint64_t{0}}));
  EXPECT_TRUE(row.boolean());
  EXPECT_EQ(row.text(), std::string(200, 'x'));
  EXPECT_TRUE(row.at_end());
}

TEST(RowReader, ARowThatEndsEarlyIsAnError) {
  EXPECT_THROW(RowReader("\1\0\0").u32(), InputError);
  EXPECT_THROW(RowReader(std::string(15, '\0')).id(), InputError);
  EXPECT_THROW(RowReader("\5abc").text(), InputError);
  EXPECT_THROW(RowReader(std::string(11, '\xff')).count(), InputError);
  EXPECT_THROW(RowReader("\x7f").elements(), InputError);
  // 2^60 elements of 16 bytes would be 0 bytes modulo 2^64.
  EXPECT_THROW(RowReader(std::string(8, '\x80') + "\x10").skip_elements(16), InputError);
  EXPECT_THROW(RowReader("").boolean(), InputError);
}

}  // namespace
}  // namespace perfsift::store
