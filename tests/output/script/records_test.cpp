// Texts of records: the output of perf 6.1 for records with these contents.

#include <gtest/gtest.h>

#include "output/script/record_text.h"
#include "tests/support/bytes.h"

namespace perfsift::output {
namespace {

using reader::RecordType;
using test::BytesBuilder;

std::string text(RecordType type, const BytesBuilder& payload, std::uint16_t misc = 2, std::string_view poked = {}) {
  TextWriter out;
  print_record(out, {.header = {.type = type, .misc = misc}, .payload = payload.view()}, poked);
  return std::string(out.view());
}

BytesBuilder mapped(std::uint32_t pid, std::uint32_t tid, std::uint64_t start, std::uint64_t length,
                    std::uint64_t offset) {
  return BytesBuilder().u32(pid).u32(tid).u64(start).u64(length).u64(offset);
}

TEST(RecordText, Comm) {
  const auto comm = BytesBuilder().u32(27265).u32(27265).padded("sh");
  EXPECT_EQ(text(RecordType::comm, comm), "PERF_RECORD_COMM: sh:27265/27265\n");
  EXPECT_EQ(text(RecordType::comm, comm, 1 << 13), "PERF_RECORD_COMM exec: sh:27265/27265\n");
}

TEST(RecordText, ForkAndExitNameTheChildFirst) {
  const auto task = BytesBuilder().u32(27267).u32(27265).u32(27267).u32(27266).u64(5);
  EXPECT_EQ(text(RecordType::fork, task), "PERF_RECORD_FORK(27267:27267):(27265:27266)\n");
  EXPECT_EQ(text(RecordType::exit, task), "PERF_RECORD_EXIT(27267:27267):(27265:27266)\n");
}

TEST(RecordText, Mmap) {
  const auto kernel = mapped(0xffffffff, 0, 0xffffffff81000000, 0x120bb08, 0xffffffff81000000);
  EXPECT_EQ(text(RecordType::mmap, BytesBuilder(kernel).padded("[kernel.kallsyms]_text"), 1),
            "PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x120bb08) @ 0xffffffff81000000]: x [kernel.kallsyms]_text\n");
  EXPECT_EQ(text(RecordType::mmap, mapped(1, 2, 0x1000, 0x1000, 0).padded("/x"), 1 << 13),
            "PERF_RECORD_MMAP 1/2: [0x1000(0x1000) @ 0]: r /x\n");
}

TEST(RecordText, Mmap2WithTheFilesNumbersOrItsBuildId) {
  const auto range = mapped(27265, 27265, 0x555b50862000, 0x13000, 0x4000);
  const auto numbers = BytesBuilder(range).u32(0xfe).u32(0).u64(247230).u64(0).u32(5).u32(2).padded("/usr/bin/dash");
  EXPECT_EQ(text(RecordType::mmap2, numbers),
            "PERF_RECORD_MMAP2 27265/27265: [0x555b50862000(0x13000) @ 0x4000 fe:00 247230 0]: r-xp /usr/bin/dash\n");
  const auto build_id =
      BytesBuilder(range).u8(4).zeros(3).u32(0x78563412).zeros(16).u32(3).u32(1).padded("/usr/bin/dash");
  EXPECT_EQ(text(RecordType::mmap2, build_id, 1 << 14),
            "PERF_RECORD_MMAP2 27265/27265: [0x555b50862000(0x13000) @ 0x4000 <12345678>]: rw-s /usr/bin/dash\n");
}

TEST(RecordText, NamespacesAreFourToALine) {
  auto namespaces = BytesBuilder().u32(27265).u32(27265).u64(7);
  for (const std::uint64_t inode : {0xeffffff9, 0xeffffffe, 0xefffffff, 0xeffffffc, 0xeffffffd, 0xeffffff8, 0xeffffffb})
    namespaces.u64(4).u64(inode);
  EXPECT_EQ(text(RecordType::namespaces, namespaces),
            "PERF_RECORD_NAMESPACES 27265/27265 - nr_namespaces: 7\n"
            "\t\t[0/net: 4/0xeffffff9, 1/uts: 4/0xeffffffe, 2/ipc: 4/0xefffffff, 3/pid: 4/0xeffffffc, \n"
            "\t\t 4/user: 4/0xeffffffd, 5/mnt: 4/0xeffffff8, 6/cgroup: 4/0xeffffffb]\n");
}

TEST(RecordText, Switches) {
  EXPECT_EQ(text(RecordType::switch_, BytesBuilder(), 0), "PERF_RECORD_SWITCH IN         \n");
  EXPECT_EQ(text(RecordType::switch_, BytesBuilder(), 1 << 13), "PERF_RECORD_SWITCH OUT        \n");
  const auto other = BytesBuilder().u32(12).u32(3456);
  EXPECT_EQ(text(RecordType::switch_cpu_wide, other, 3 << 13),
            "PERF_RECORD_SWITCH_CPU_WIDE OUT preempt  next pid/tid:    12/3456 \n");
  EXPECT_EQ(text(RecordType::switch_cpu_wide, other, 0),
            "PERF_RECORD_SWITCH_CPU_WIDE IN           prev pid/tid:    12/3456 \n");
}

TEST(RecordText, OthersOnOneLine) {
  EXPECT_EQ(text(RecordType::cgroup, BytesBuilder().u64(1).padded("/")), "PERF_RECORD_CGROUP cgroup: 1 /\n");
  EXPECT_EQ(text(RecordType::lost, BytesBuilder().u64(9).u64(123)), "PERF_RECORD_LOST lost 123\n");
  EXPECT_EQ(
      text(RecordType::ksymbol, BytesBuilder().u64(0xffffffffc0001000).u32(57).u16(1).u16(1).padded("bpf_prog_a")),
      "PERF_RECORD_KSYMBOL addr ffffffffc0001000 len 57 type 1 flags 0x1 name bpf_prog_a\n");
  EXPECT_EQ(text(RecordType::bpf_event, BytesBuilder().u16(2).u16(0).u32(33).zeros(8)),
            "PERF_RECORD_BPF_EVENT type 2, flags 0, id 33\n");
  EXPECT_EQ(text(RecordType::finished_round, BytesBuilder()), "PERF_RECORD_FINISHED_ROUND\n");
}

TEST(RecordText, TextPokesShowTheBytes) {
  const auto poke =
      BytesBuilder().u64(0xffffffff81000010).u16(2).u16(3).u8(0x0f).u8(0x1f).u8(0xe9).u8(1).u8(2).zeros(3);
  EXPECT_EQ(text(RecordType::text_poke, poke, 1, "do_nop+0x4"),
            "PERF_RECORD_TEXT_POKE ffffffff81000010 do_nop+0x4 old len 2 new len 3\n"
            "            Old bytes: 0f 1f\n"
            "            New bytes: e9 01 02\n");
}

TEST(RecordText, AMalformedRecordSaysSo) {
  EXPECT_EQ(text(RecordType::comm, BytesBuilder().u32(1)), "PERF_RECORD_COMM (malformed)\n");
}

}  // namespace
}  // namespace perfsift::output
