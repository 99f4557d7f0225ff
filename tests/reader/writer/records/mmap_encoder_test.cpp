// MMAP and MMAP2, encoded. Layouts: include/uapi/linux/perf_event.h.
#include <gtest/gtest.h>

#include "reader/writer/records/mmap.h"
#include "tests/reader/writer/records/encoded.h"

namespace perfsift::reader {
namespace {

using MmapEncoder = EncoderTest;
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, MmapEncoder, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

const Mmap library{.pid = 10,
                   .tid = 11,
                   .start = 0x7f0000001000,
                   .length = 0x2000,
                   .page_offset = 0x1000,
                   .protection = 5,
                   .flags = 2,
                   .file = FileIdentity{8, 1, 12, 3},
                   .path = "/lib/a.so"};

TEST_P(MmapEncoder, Mmap2WithAFileHasTheBytesOfTheKernel) {
  auto expected = bytes();
  expected.u32(10).u16(2).u16(88).u32(10).u32(11).u64(0x7f0000001000).u64(0x2000).u64(0x1000);
  expected.u32(8).u32(1).u64(12).u64(3).u32(5).u32(2).text("/lib/a.so").zeros(7);
  EXPECT_EQ(encode_mmap2(library, CpuMode::user, plain()), expected.take());
}

TEST_P(MmapEncoder, Mmap2WithABuildIdHasTheBytesOfTheKernel) {
  Mmap mmap = library;
  mmap.build_id = BuildId::from_hex("0102030405060708090a0b0c0d0e0f1011121314");
  auto expected = bytes();
  expected.u32(10).u16(2 | 1 << 14).u16(88).u32(10).u32(11).u64(0x7f0000001000).u64(0x2000).u64(0x1000);
  expected.u8(20).zeros(3);
  for (std::uint8_t byte = 1; byte <= 20; ++byte) expected.u8(byte);
  expected.u32(5).u32(2).text("/lib/a.so").zeros(7);
  EXPECT_EQ(encode_mmap2(mmap, CpuMode::user, plain()), expected.take());
}

TEST_P(MmapEncoder, Mmap2IsReadBack) {
  const auto encoded = encode_mmap2(library, CpuMode::user, plain());
  const auto read = decode_mmap2(record(encoded));
  ASSERT_TRUE(read && read->file);
  EXPECT_EQ(record(encoded).cpumode(), CpuMode::user);
  EXPECT_EQ(read->pid, 10);
  EXPECT_EQ(read->tid, 11);
  EXPECT_EQ(read->start, 0x7f0000001000u);
  EXPECT_EQ(read->length, 0x2000u);
  EXPECT_EQ(read->page_offset, 0x1000u);
  EXPECT_EQ(read->protection, 5u);
  EXPECT_EQ(read->flags, 2u);
  EXPECT_EQ(read->file->device_major, 8u);
  EXPECT_EQ(read->file->device_minor, 1u);
  EXPECT_EQ(read->file->inode, 12u);
  EXPECT_EQ(read->file->inode_generation, 3u);
  EXPECT_EQ(read->path, "/lib/a.so");
  EXPECT_TRUE(read->build_id.empty());
  EXPECT_FALSE(read->data);
  EXPECT_FALSE(read->incomplete);
}

TEST_P(MmapEncoder, AShortBuildIdAndTheMarksAreReadBack) {
  Mmap mmap = library;
  mmap.build_id = BuildId::from_hex("0102030405060708090a0b0c0d0e0f10");
  mmap.data = mmap.incomplete = true;
  const auto encoded = encode_mmap2(mmap, CpuMode::user, plain());
  const auto read = decode_mmap2(record(encoded));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->build_id.hex(), "0102030405060708090a0b0c0d0e0f10");
  EXPECT_FALSE(read->file);
  EXPECT_TRUE(read->data);
  EXPECT_TRUE(read->incomplete);
}

TEST_P(MmapEncoder, TheKernelsMmapIsReadBack) {
  const Mmap kernel{.pid = -1,
                    .tid = 0,
                    .start = 0xffffffff81000000,
                    .length = 0x1276f48,
                    .page_offset = 0xffffffff81000000,
                    .path = "[kernel.kallsyms]_text"};
  const auto encoded = encode_mmap(kernel, CpuMode::kernel, plain());
  const auto read = decode_mmap(record(encoded));
  ASSERT_TRUE(read);
  EXPECT_EQ(record(encoded).header.type, RecordType::mmap);
  EXPECT_EQ(record(encoded).cpumode(), CpuMode::kernel);
  EXPECT_EQ(read->pid, -1);
  EXPECT_EQ(read->tid, 0);
  EXPECT_EQ(read->start, 0xffffffff81000000u);
  EXPECT_EQ(read->length, 0x1276f48u);
  EXPECT_EQ(read->page_offset, 0xffffffff81000000u);
  EXPECT_EQ(read->path, "[kernel.kallsyms]_text");
}

}  // namespace
}  // namespace perfsift::reader
