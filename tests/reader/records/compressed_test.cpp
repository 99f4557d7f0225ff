// COMPRESSED and COMPRESSED2. Layouts: tools/lib/perf/include/perf/event.h.
#include "reader/records/compressed.h"

#include <gtest/gtest.h>

#include "tests/reader/records/record_of.h"

namespace perfsift::reader {
namespace {

using CompressedRecord = RecordTest;
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, CompressedRecord, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(CompressedRecord, CompressedIsAllDataCompressed2HasADataSize) {
  const auto all = decode_compressed(record(RecordType::compressed, payload().text("seven!!")));
  ASSERT_TRUE(all);
  EXPECT_EQ(all->data.size(), 7u);
  EXPECT_TRUE(all->whole());

  const auto padded = decode_compressed(record(RecordType::compressed2, payload().u64(7).text("seven!!").zeros(1)));
  ASSERT_TRUE(padded);
  EXPECT_EQ(padded->data.size(), 7u);
  EXPECT_TRUE(padded->whole());

  const auto wrapped = decode_compressed(record(RecordType::compressed2, payload().u64(65519).zeros(8)));
  ASSERT_TRUE(wrapped);
  EXPECT_EQ(wrapped->size, 65519u);
  EXPECT_EQ(wrapped->data.size(), 8u);
  EXPECT_FALSE(wrapped->whole());
}

}  // namespace
}  // namespace perfsift::reader
