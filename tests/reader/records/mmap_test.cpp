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

// The part of MMAP2 between the range and the protection, as a build id.
BytesBuilder build_id(BytesBuilder payload, std::uint8_t size, std::string_view id) {
  return range(std::move(payload)).u8(size).zeros(3).text(id).zeros(20 - id.size());
}

TEST_P(MmapRecord, Mmap2WithABuildId) {
  const auto bytes = build_id(payload(), 20, "ABCDEFGHIJKLMNOPQRST").u32(5).u32(2).padded("/lib/libc.so.6");
  const auto mmap = decode_mmap2(record(RecordType::mmap2, 2 | misc::mmap_build_id, bytes));
  ASSERT_TRUE(mmap);
  EXPECT_FALSE(mmap->file);
  EXPECT_EQ(mmap->build_id.hex(), "4142434445464748494a4b4c4d4e4f5051525354");
  EXPECT_EQ(mmap->protection, 5u);
  EXPECT_EQ(mmap->path, "/lib/libc.so.6");
}

TEST_P(MmapRecord, Mmap2WithAShortBuildId) {
  for (const std::string_view id : {"ABCDEFGH", "ABCDEFGHIJKLMNOP"}) {
    const auto bytes = build_id(payload(), static_cast<std::uint8_t>(id.size()), id).u32(5).u32(2).padded("a");
    const auto mmap = decode_mmap2(record(RecordType::mmap2, 2 | misc::mmap_build_id, bytes));
    ASSERT_TRUE(mmap);
    EXPECT_FALSE(mmap->file);
    EXPECT_EQ(mmap->build_id, BuildId(std::as_bytes(std::span(id))));
  }
}
// A record of Linux 6.18 while another perf record ran with --buildid-mmap: misc 0x4002, and fe 00 00 00 00 00 00 00 b0
// c7 03 00 … of a file on a virtual disk. Such a recording crashes perf 6.1.
TEST_P(MmapRecord, AStrayBitMakesNoBuildIdOfTheNumbersOfTheFile) {
  const FileIdentity files[] = {
      {.device_major = 254, .device_minor = 0, .inode = 0x3c7b0, .inode_generation = 0},
      {.device_major = 259, .device_minor = 2, .inode = 14885913, .inode_generation = 0x5407797b},  // an NVMe disk
      {.device_major = 8, .device_minor = 1, .inode = 1234, .inode_generation = 0},                 // a SCSI disk
      {.device_major = 8, .device_minor = 0xabcde, .inode = 0x12345678, .inode_generation = 0},
      {.device_major = 7, .device_minor = 3, .inode = 77, .inode_generation = 0},  // a loop device
      {.device_major = 0, .device_minor = 45, .inode = 9, .inode_generation = 5},  // btrfs, overlayfs
  };
  for (const FileIdentity& file : files) {
    const auto bytes = range(payload())
                           .u32(file.device_major)
                           .u32(file.device_minor)
                           .u64(file.inode)
                           .u64(file.inode_generation)
                           .u32(5)
                           .u32(2)
                           .padded("/usr/bin/ls");
    const auto mmap = decode_mmap2(record(RecordType::mmap2, 2 | misc::mmap_build_id, bytes));
    ASSERT_TRUE(mmap);
    EXPECT_TRUE(mmap->build_id.empty()) << file.device_major << ": " << mmap->build_id.hex();
    ASSERT_TRUE(mmap->file);
    EXPECT_EQ(mmap->file->device_major, file.device_major);
    EXPECT_EQ(mmap->file->device_minor, file.device_minor);
    EXPECT_EQ(mmap->file->inode, file.inode);
    EXPECT_EQ(mmap->file->inode_generation, file.inode_generation);
    EXPECT_EQ(mmap->path, "/usr/bin/ls");
  }
}

TEST_P(MmapRecord, ABuildIdHasZerosWhereNothingIsStored) {
  const std::string_view id = "ABCDEFGHIJKLMNOPQRST";
  const BytesBuilder no_build_ids[] = {
      range(payload()).u8(255).zeros(3).text(id),       // longer than the available 20 bytes
      range(payload()).u8(0).zeros(3).text(id),         // the kernel sets no bit for a file without a build id
      range(payload()).u8(20).zeros(2).u8(1).text(id),  // the unused bytes behind the size
      range(payload()).u8(8).zeros(3).text(id),         // the bytes behind the build id
  };
  for (BytesBuilder bytes : no_build_ids) {
    const auto mmap = decode_mmap2(record(RecordType::mmap2, misc::mmap_build_id, bytes.u32(5).u32(2).padded("a")));
    ASSERT_TRUE(mmap);
    EXPECT_TRUE(mmap->build_id.empty());
    EXPECT_TRUE(mmap->file);
  }
}

}  // namespace
}  // namespace perfsift::reader
