// MMAP and MMAP2. Layouts: include/uapi/linux/perf_event.h.
#include "reader/records/mmap.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "tests/reader/records/record_of.h"

namespace perfsift::reader {
namespace {

using test::BytesBuilder;

using MmapRecord = RecordTest;
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, MmapRecord, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

// The fields that MMAP and MMAP2 begin with.
BytesBuilder range(BytesBuilder payload) { return payload.u32(10).u32(11).u64(0x7f0000001000).u64(0x2000).u64(0x3000); }

TEST_P(MmapRecord, Mmap) {
  // A sample_id trailer follows the padded name.
  const auto bytes = range(payload()).padded("/bin/ls").u32(10).u32(11).u64(99);
  const auto mmap = decode_mmap(record(RecordType::mmap, 2, bytes));
  ASSERT_TRUE(mmap);
  EXPECT_EQ(mmap->pid, 10);
  EXPECT_EQ(mmap->tid, 11);
  EXPECT_EQ(mmap->start, 0x7f0000001000u);
  EXPECT_EQ(mmap->length, 0x2000u);
  EXPECT_EQ(mmap->page_offset, 0x3000u);
  EXPECT_EQ(mmap->path, "/bin/ls");
  EXPECT_EQ(mmap->protection, static_cast<std::uint32_t>(PROT_EXEC));
  EXPECT_FALSE(mmap->data);
  EXPECT_FALSE(mmap->file);
  EXPECT_TRUE(mmap->build_id.empty());
}

TEST_P(MmapRecord, MmapOfDataIsNotExecutable) {
  const auto bytes = range(payload()).padded("//anon");
  const auto mmap = decode_mmap(record(RecordType::mmap, 2 | misc::mmap_data | misc::proc_map_parse_timeout, bytes));
  ASSERT_TRUE(mmap);
  EXPECT_TRUE(mmap->data);
  EXPECT_TRUE(mmap->incomplete);
  EXPECT_EQ(mmap->protection, 0u);
}

TEST_P(MmapRecord, Mmap2WithTheNumbersOfTheFile) {
  const auto bytes = range(payload()).u32(8).u32(1).u64(1234).u64(56).u32(5).u32(2).padded("/lib/libc.so.6");
  const auto mmap = decode_mmap2(record(RecordType::mmap2, 2, bytes));
  ASSERT_TRUE(mmap);
  ASSERT_TRUE(mmap->file);
  EXPECT_EQ(mmap->file->device_major, 8u);
  EXPECT_EQ(mmap->file->device_minor, 1u);
  EXPECT_EQ(mmap->file->inode, 1234u);
  EXPECT_EQ(mmap->file->inode_generation, 56u);
  EXPECT_EQ(mmap->protection, 5u);
  EXPECT_EQ(mmap->flags, 2u);
  EXPECT_EQ(mmap->path, "/lib/libc.so.6");
}

TEST_P(MmapRecord, Mmap2WithABuildId) {
  const auto bytes =
      range(payload()).u8(8).zeros(3).text("ABCDEFGHIJKLMNOPQRST").u32(5).u32(2).padded("/lib/libc.so.6");
  const auto mmap = decode_mmap2(record(RecordType::mmap2, 2 | misc::mmap_build_id, bytes));
  ASSERT_TRUE(mmap);
  EXPECT_FALSE(mmap->file);
  EXPECT_EQ(mmap->build_id.hex(), "4142434445464748");
  EXPECT_EQ(mmap->protection, 5u);
  EXPECT_EQ(mmap->path, "/lib/libc.so.6");
}

TEST_P(MmapRecord, ABuildIdIsNeverLongerThanItsRoom) {
  const auto bytes = range(payload()).u8(255).zeros(3).text("ABCDEFGHIJKLMNOPQRST").u32(5).u32(2).padded("a");
  EXPECT_EQ(decode_mmap2(record(RecordType::mmap2, misc::mmap_build_id, bytes))->build_id.size, 20);
}

}  // namespace
}  // namespace perfsift::reader
