// Records of the kernel's code, from made trees. The names are perf's: perf script --show-mmap-events of perf 6.1.
#include "record/synthesis/kernel_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reader/records/kernel_code.h"
#include "record/machine/mounts.h"
#include "record/synthesis/bpf_programs.h"
#include "tests/record/made_roots.h"
#include "tests/record/synthesis/taken_records.h"
#include "tests/support/bytes.h"

namespace perfsift::record {
namespace {

using reader::RecordType;
using ::testing::ElementsAre;

constexpr std::string_view kallsyms =
    "0000000000000000 A fixed_percpu_data\n"
    "ffffffff81000000 T _stext\n"
    "ffffffff81000000 T _text\n"
    "ffffffff81000130 T startup_64\n"
    "ffffffff82276f48 T _etext\n"
    "ffffffffc0001000 t bpf_prog_6deef7357e7b4530_sd_devices\t[bpf]\n"
    "ffffffffc0002000 t bpf_trampoline_6442549654\t[bpf]\n";

TEST(KernelRecords, TheLengthIsThatOfTheKernelsCode) {
  const MadeRoots made;
  made.proc("kallsyms", kallsyms);
  made.proc("iomem",
            "00100000-bfffffff : System RAM\n  01000000-02276f47 : Kernel code\n  02400000-02e0cfff : Kernel rodata\n");
  const auto text = kernel_text(made.roots().proc);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->symbol, "_text");
  EXPECT_EQ(text->start, 0xffffffff81000000u);
  EXPECT_EQ(text->length, 0x1276f48u);
}

TEST(KernelRecords, WithoutPrivilegesForMemoryTheSymbolsSayTheLength) {
  const MadeRoots made;
  made.proc("kallsyms", kallsyms);
  made.proc("iomem", "00000000-00000000 : System RAM\n  00000000-00000000 : Kernel code\n");
  EXPECT_EQ(kernel_text(made.roots().proc)->length, 0x1276f48u);
}

TEST(KernelRecords, ASymbolBeforeTextIsNotTaken) {
  const MadeRoots made;
  made.proc(
      "kallsyms",
      "ffffffff81000000 T _head\nffffffff81001000 T _stext\nffffffff81001000 T first\nffffffff81001040 T _text\n");
  EXPECT_EQ(kernel_text(made.roots().proc)->symbol, "_stext");
}

TEST(KernelRecords, HiddenAddressesGiveNoRecord) {
  const MadeRoots made;
  made.proc("kallsyms", "0000000000000000 T _stext\n0000000000000000 T _text\n0000000000000000 T _etext\n");
  EXPECT_FALSE(kernel_text(made.roots().proc));
  EXPECT_TRUE(kernel_records(made.roots(), made.path("lib"), true, {}).empty());
}

TEST(KernelRecords, ModulesAreSortedAndEndWhereTheNextBegins) {
  const MadeRoots made;
  made.proc("modules",
            "ext4 983040 1 - Live 0xffffffffc0400000\n"
            "virtio_net 90112 0 - Live 0xffffffffc0100000 (OE)\n"
            "mbcache 4194304 1 ext4, Live 0xffffffffc0200000\n"
            "hidden 16384 0 - Live 0x0000000000000000\n");
  const auto modules = kernel_modules(made.roots().proc);
  ASSERT_EQ(modules.size(), 3u);
  EXPECT_EQ(modules[0].name, "virtio_net");
  EXPECT_EQ(modules[0].size, 90112u);
  EXPECT_EQ(modules[1].name, "mbcache");
  EXPECT_EQ(modules[1].size, 0x200000u);
  EXPECT_EQ(modules[2].start, 0xffffffffc0400000u);
}

TEST(KernelRecords, KernelAndModulesHaveThePathsAndBuildIdsThatPerfWrites) {
  const MadeRoots made;
  const auto note = test::BytesBuilder().u32(4).u32(4).u32(3).text("GNU").zeros(1).u32(0x04030201).take();
  const std::string_view notes(reinterpret_cast<const char*>(note.data()), note.size());
  made.proc("kallsyms", kallsyms);
  made.proc("modules", "virtio_net 90112 0 - Live 0xffffffffc0100000\nmine 4096 0 - Live 0xffffffffc0200000\n");
  made.sys("kernel/notes", notes);
  made.sys("module/virtio_net/notes/.note.gnu.build-id", notes);
  made.sys("lib/modules.dep", "kernel/drivers/net/virtio-net.ko.xz: kernel/x.ko\n");
  const std::string folder = made.path("sys/lib");

  Taken taken;
  taken.bytes = kernel_records(made.roots(), folder, true, {});
  const auto mappings = taken.mappings();
  ASSERT_EQ(mappings.size(), 3u);
  EXPECT_EQ(taken.records()[0].cpumode(), reader::CpuMode::kernel);
  EXPECT_EQ(mappings[0].pid, -1);
  EXPECT_EQ(mappings[0].tid, 0);
  EXPECT_EQ(mappings[0].path, "[kernel.kallsyms]_text");
  EXPECT_EQ(mappings[0].start, 0xffffffff81000000u);
  EXPECT_EQ(mappings[0].page_offset, 0xffffffff81000000u);
  EXPECT_EQ(mappings[0].length, 0x1276f48u);
  EXPECT_EQ(mappings[0].build_id.hex(), "01020304");
  EXPECT_EQ(mappings[1].path, folder + "/kernel/drivers/net/virtio-net.ko.xz");
  EXPECT_EQ(mappings[1].start, 0xffffffffc0100000u);
  EXPECT_EQ(mappings[1].length, 90112u);
  EXPECT_EQ(mappings[1].page_offset, 0u);
  EXPECT_EQ(mappings[1].build_id.hex(), "01020304");
  EXPECT_EQ(mappings[2].path, "[mine]");
  EXPECT_TRUE(mappings[2].build_id.empty());

  taken.bytes = kernel_records(made.roots(), folder, false, {});
  EXPECT_THAT(taken.types(), ElementsAre(RecordType::mmap, RecordType::mmap, RecordType::mmap));
}

reader::BpfProgram two_functions() {
  reader::BpfProgram program{.type = 8, .id = 17, .name = "sd_devices"};
  program.ksyms = {0xffffffffc0001000, 0xffffffffc0001800};
  program.lengths = {300, 200};
  program.tags.resize(2);
  for (std::size_t i = 0; i < 8; ++i) program.tags[0][i] = std::byte(i + 1), program.tags[1][i] = std::byte(0xf0 + i);
  return program;
}

TEST(BpfRecords, NamesAreThoseOfTheSymbols) {
  const MadeRoots made;
  made.proc("kallsyms", kallsyms);
  const auto bytes = bpf_records({two_functions()}, made.roots().proc + "/kallsyms", {});
  const auto records = records_in(bytes);
  ASSERT_EQ(records.size(), 4u);
  const auto first = reader::decode_ksymbol(records[0]), second = reader::decode_ksymbol(records[1]);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->address, 0xffffffffc0001000u);
  EXPECT_EQ(first->length, 300u);
  EXPECT_EQ(first->kind, reader::Ksymbol::Kind::bpf);
  EXPECT_FALSE(first->unregistered);
  EXPECT_EQ(first->name, "bpf_prog_6deef7357e7b4530_sd_devices");
  EXPECT_EQ(second->name, "bpf_prog_f0f1f2f3f4f5f6f7_F");
  const auto event = reader::decode_bpf_event(records[2]);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, reader::BpfEvent::Kind::program_load);
  EXPECT_EQ(event->id, 17u);
  EXPECT_EQ(event->tag, two_functions().tags[0]);
  EXPECT_EQ(reader::decode_ksymbol(records[3])->name, "bpf_trampoline_6442549654");
}

TEST(BpfRecords, WithoutSymbolsTheTagAndTheNameOfTheProgramAreTheName) {
  const auto bytes = bpf_records({two_functions()}, "/nowhere", {});
  EXPECT_EQ(reader::decode_ksymbol(records_in(bytes)[0])->name, "bpf_prog_0102030405060708_sd_devices");
  EXPECT_TRUE(bpf_records({}, "/proc/kallsyms", {}).empty());
}

TEST(Mounts, TheFirstMountOfATypeWithAnOptionIsFound) {
  constexpr std::string_view mounts =
      "tmpfs /sys/fs/cgroup tmpfs rw 0 0\n"
      "cgroup /sys/fs/cgroup/cpu cgroup rw,relatime,cpu 0 0\n"
      "cgroup2 /sys/fs/cgroup/unified cgroup2 rw,relatime 0 0\n";
  EXPECT_EQ(mount_point(mounts, "cgroup"), "/sys/fs/cgroup/cpu");
  EXPECT_EQ(mount_point(mounts, "cgroup", "cpu"), "/sys/fs/cgroup/cpu");
  EXPECT_EQ(mount_point(mounts, "cgroup", "perf_event"), "");
  EXPECT_EQ(mount_point(mounts, "hugetlbfs"), "");
  EXPECT_EQ(cgroup_mount_point(mounts), "/sys/fs/cgroup/unified");
  EXPECT_EQ(cgroup_mount_point("cgroup /c cgroup rw,perf_event 0 0\ncgroup2 /u cgroup2 rw 0 0\n"), "/c");
}

}  // namespace
}  // namespace perfsift::record
