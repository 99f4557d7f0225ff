// The records the timeline is built from. Layouts: include/uapi/linux/perf_event.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "reader/records/bpf_event.h"
#include "reader/records/cgroup.h"
#include "reader/records/comm.h"
#include "reader/records/ksymbol.h"
#include "reader/records/mmap.h"
#include "reader/records/namespaces.h"
#include "reader/records/task.h"
#include "reader/records/text_poke.h"
#include "tests/reader/records/record_of.h"

namespace perfsift::reader {
namespace {

using test::BytesBuilder;

class SideBandRecord : public ::testing::TestWithParam<ByteOrder> {
 protected:
  BytesBuilder payload() const { return BytesBuilder(GetParam()); }
  Record record(RecordType type, std::uint16_t misc, const BytesBuilder& bytes) const {
    return record_of(type, misc, bytes, GetParam());
  }
  BytesBuilder range() const { return payload().u32(10).u32(11).u64(0x7f0000001000).u64(0x2000).u64(0x3000); }
};
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, SideBandRecord, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(SideBandRecord, Mmap) {
  // A sample_id trailer follows the padded name.
  const auto bytes = range().padded("/bin/ls").u32(10).u32(11).u64(99);
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

TEST_P(SideBandRecord, MmapOfDataIsNotExecutable) {
  const auto bytes = range().padded("//anon");
  const auto mmap = decode_mmap(record(RecordType::mmap, 2 | misc::mmap_data | misc::proc_map_parse_timeout, bytes));
  ASSERT_TRUE(mmap);
  EXPECT_TRUE(mmap->data);
  EXPECT_TRUE(mmap->incomplete);
  EXPECT_EQ(mmap->protection, 0u);
}

TEST_P(SideBandRecord, Mmap2WithTheNumbersOfTheFile) {
  const auto bytes = range().u32(8).u32(1).u64(1234).u64(56).u32(5).u32(2).padded("/lib/libc.so.6");
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

TEST_P(SideBandRecord, Mmap2WithABuildId) {
  const auto bytes = range().u8(8).zeros(3).text("ABCDEFGHIJKLMNOPQRST").u32(5).u32(2).padded("/lib/libc.so.6");
  const auto mmap = decode_mmap2(record(RecordType::mmap2, 2 | misc::mmap_build_id, bytes));
  ASSERT_TRUE(mmap);
  EXPECT_FALSE(mmap->file);
  EXPECT_EQ(mmap->build_id.hex(), "4142434445464748");
  EXPECT_EQ(mmap->protection, 5u);
  EXPECT_EQ(mmap->path, "/lib/libc.so.6");
}

TEST_P(SideBandRecord, ABuildIdIsNeverLongerThanItsRoom) {
  const auto bytes = range().u8(255).zeros(3).text("ABCDEFGHIJKLMNOPQRST").u32(5).u32(2).padded("a");
  EXPECT_EQ(decode_mmap2(record(RecordType::mmap2, misc::mmap_build_id, bytes))->build_id.size, 20);
}

TEST_P(SideBandRecord, Comm) {
  const auto bytes = payload().u32(10).u32(11).padded("bash");
  const auto comm = decode_comm(record(RecordType::comm, misc::comm_exec, bytes));
  ASSERT_TRUE(comm);
  EXPECT_EQ(comm->pid, 10);
  EXPECT_EQ(comm->tid, 11);
  EXPECT_EQ(comm->name, "bash");
  EXPECT_TRUE(comm->exec);
  EXPECT_FALSE(decode_comm(record(RecordType::comm, 0, bytes))->exec);
}

TEST_P(SideBandRecord, ForkNamesParentsBetweenItsOwnNumbers) {
  const auto bytes = payload().u32(20).u32(10).u32(21).u32(11).u64(777);
  const auto task = decode_task(record(RecordType::fork, 0, bytes));
  ASSERT_TRUE(task);
  EXPECT_EQ(task->pid, 20);
  EXPECT_EQ(task->parent_pid, 10);
  EXPECT_EQ(task->tid, 21);
  EXPECT_EQ(task->parent_tid, 11);
  EXPECT_EQ(task->time, 777u);
  EXPECT_FALSE(task->synthesised);
  EXPECT_TRUE(decode_task(record(RecordType::fork, misc::fork_exec, bytes))->synthesised);
  EXPECT_FALSE(decode_task(record(RecordType::exit, misc::fork_exec, bytes))->synthesised);
}

TEST_P(SideBandRecord, Ksymbol) {
  const auto bytes = payload().u64(0xffffffffc0001000).u32(300).u16(1).u16(1).padded("bpf_prog_6deef7357e7b4530");
  const auto symbol = decode_ksymbol(record(RecordType::ksymbol, 0, bytes));
  ASSERT_TRUE(symbol);
  EXPECT_EQ(symbol->address, 0xffffffffc0001000u);
  EXPECT_EQ(symbol->length, 300u);
  EXPECT_EQ(symbol->kind, Ksymbol::Kind::bpf);
  EXPECT_TRUE(symbol->unregistered);
  EXPECT_EQ(symbol->name, "bpf_prog_6deef7357e7b4530");
}

TEST_P(SideBandRecord, BpfEvent) {
  const auto bytes = payload().u16(2).u16(0).u32(13).text("\x6d\xee\xf7\x35\x7e\x7b\x45\x30");
  const auto event = decode_bpf_event(record(RecordType::bpf_event, 0, bytes));
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, BpfEvent::Kind::program_unload);
  EXPECT_EQ(event->id, 13u);
  EXPECT_EQ(event->tag[0], std::byte{0x6d});
  EXPECT_EQ(event->tag[7], std::byte{0x30});
}

TEST_P(SideBandRecord, Cgroup) {
  const auto bytes = payload().u64(4711).padded("/system.slice/cron.service");
  const auto cgroup = decode_cgroup(record(RecordType::cgroup, 0, bytes));
  ASSERT_TRUE(cgroup);
  EXPECT_EQ(cgroup->id, 4711u);
  EXPECT_EQ(cgroup->path, "/system.slice/cron.service");
}

TEST_P(SideBandRecord, Namespaces) {
  const auto bytes = payload().u32(10).u32(11).u64(2).u64(4).u64(0xf0000098).u64(4).u64(0xeffffffe).u64(99);
  const auto namespaces = decode_namespaces(record(RecordType::namespaces, 0, bytes));
  ASSERT_TRUE(namespaces);
  EXPECT_EQ(namespaces->tid, 11);
  ASSERT_EQ(namespaces->links.size(), 2u);
  EXPECT_EQ(namespaces->links[1].device, 4u);
  EXPECT_EQ(namespaces->links[1].inode, 0xeffffffeu);
}

TEST_P(SideBandRecord, MoreNamespacesThanBytesAreRefused) {
  const auto bytes = payload().u32(10).u32(11).u64(~std::uint64_t{0}).u64(4).u64(5);
  EXPECT_FALSE(decode_namespaces(record(RecordType::namespaces, 0, bytes)));
}

TEST_P(SideBandRecord, TextPoke) {
  const auto bytes = payload().u64(0xffffffff81000010).u16(5).u16(2).text("abcdefg").zeros(5);
  const auto poke = decode_text_poke(record(RecordType::text_poke, 0, bytes));
  ASSERT_TRUE(poke);
  EXPECT_EQ(poke->address, 0xffffffff81000010u);
  EXPECT_EQ(poke->before.size(), 5u);
  ASSERT_EQ(poke->after.size(), 2u);
  EXPECT_EQ(poke->after[0], std::byte{'f'});
}

TEST_P(SideBandRecord, NamesWithoutANulAreRefused) {
  EXPECT_FALSE(decode_mmap(record(RecordType::mmap, 0, range().text("/bin/lsx"))));
  EXPECT_FALSE(decode_mmap2(record(RecordType::mmap2, 0, range().zeros(32).text("/bin/lsx"))));
  EXPECT_FALSE(decode_comm(record(RecordType::comm, 0, payload().u64(1).text("sleeping"))));
  EXPECT_FALSE(decode_ksymbol(record(RecordType::ksymbol, 0, payload().zeros(16).text("bpf_prog"))));
  EXPECT_FALSE(decode_cgroup(record(RecordType::cgroup, 0, payload().u64(1).text("/a/b/c/d"))));
}

}  // namespace
}  // namespace perfsift::reader
