#include <gtest/gtest.h>

#include "reader/timeline/kernel_names.h"
#include "tests/reader/timeline/side_band_records.h"

namespace perfsift::reader {
namespace {

using test::TimelineRecords;

constexpr std::uint64_t kernel_text = 0xffffffff81000000;
constexpr std::uint64_t module = 0xffffffffc0000000;
constexpr std::uint16_t registered = 0;
constexpr std::uint16_t unregistered = 1;

TEST(TimelineKernel, OffsetsInTheKernelAreRunTimeAddresses) {
  TimelineRecords in;
  in.kernel_mmap(kernel_text, 0x1000000, kernel_text, "[kernel.kallsyms]_text");
  EXPECT_EQ(in.kernel_place(kernel_text + 0x1234), "[kernel.kallsyms]+ffffffff81001234");
  EXPECT_EQ(in.kernel_place(kernel_text + 0x1000000), "");
  EXPECT_EQ(in.place(in.thread(5, 5), CpuMode::hypervisor, kernel_text), "[kernel.kallsyms]+ffffffff81000000");
  EXPECT_EQ(in.place(in.thread(5, 5), CpuMode::user, kernel_text), "");
}

TEST(TimelineKernel, ThePageOffsetIsTheAddressOfTheSymbolTheRecordNames) {
  TimelineRecords in;
  in.kernel_mmap(kernel_text, 0x1000000, kernel_text + 0x40, "[kernel.kallsyms]_stext");
  EXPECT_EQ(in.kernel_binary(kernel_text).kind, BinaryKind::kernel);
  EXPECT_EQ(in.kernel_binary(kernel_text).reference_symbol, "_stext");
  EXPECT_EQ(in.kernel_binary(kernel_text).reference_address, kernel_text + 0x40);
}

TEST(TimelineKernel, AnAddressHiddenByKptrRestrictIsNoReference) {
  TimelineRecords in;
  in.kernel_mmap(0, 0, 0, "[kernel.kallsyms]_text");
  EXPECT_EQ(in.kernel_binary(kernel_text).reference_symbol, "");
  EXPECT_EQ(in.kernel_place(kernel_text), "[kernel.kallsyms]+ffffffff81000000") << "bounds of 0 cover everything";
}

TEST(TimelineKernel, WithoutANamedSymbolTheRecordBeginsAtTheKernelsText) {
  TimelineRecords in;
  in.kernel_mmap(kernel_text, 0x1000000, 0, "[kernel.kallsyms]");  // as simpleperf writes it
  EXPECT_EQ(in.kernel_binary(kernel_text).reference_symbol, "_stext");
  EXPECT_EQ(in.kernel_binary(kernel_text).reference_address, kernel_text);
  in.kernel_mmap(0, ~0ull, 0, "[kernel.kallsyms]");  // and where addresses are hidden
  EXPECT_EQ(in.kernel_binary(kernel_text).reference_symbol, "");
  EXPECT_EQ(in.kernel_binary(kernel_text).reference_address, 0u);
}

TEST(TimelineKernel, ASecondRecordOfTheKernelReplacesItsBounds) {
  TimelineRecords in;
  in.kernel_mmap(kernel_text, 0x1000000, kernel_text, "[kernel.kallsyms]_text");
  in.kernel_mmap(kernel_text + 0x2000000, 0x1000000, kernel_text + 0x2000000, "[kernel.kallsyms]_text");
  EXPECT_EQ(in.kernel_place(kernel_text), "");
  EXPECT_NE(in.kernel_place(kernel_text + 0x2000000), "");
}

TEST(TimelineKernel, AModuleIsFoundInsideAKernelThatCoversEverythingWhicheverCameFirst) {
  for (const bool module_first : {true, false}) {
    TimelineRecords in;
    if (module_first) in.kernel_mmap(module, 0x5000, 0, "[ext4]");
    in.kernel_mmap(0, 0, 0, "[kernel.kallsyms]_text");
    if (!module_first) in.kernel_mmap(module, 0x5000, 0, "[ext4]");
    EXPECT_EQ(in.kernel_place(module + 0x104), "[ext4]+104");
    EXPECT_EQ(in.kernel_place(module + 0x5000), "[kernel.kallsyms]+ffffffffc0005000");
    const auto mappings = in.timeline.mappings(in.thread(0, 0).kernel_maps);
    ASSERT_EQ(mappings.size(), 3u);
    EXPECT_EQ(mappings[0].end, module);
    EXPECT_EQ(mappings[2].start, module + 0x5000);
  }
}

TEST(TimelineKernel, OffsetsInAModuleAreFromTheStartOfItsMapping) {
  TimelineRecords in;
  in.kernel_mmap(module, 0x5000, 0x77, "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz");
  EXPECT_EQ(in.kernel_place(module + 0x104), "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz+104");
  EXPECT_EQ(in.kernel_binary(module).kind, BinaryKind::kernel_module);
  EXPECT_EQ(in.kernel_binary(module).load_address, module);
  EXPECT_EQ(in.kernel_binary(module).size, 0x5000u);
}

TEST(TimelineKernel, SeparateMappingsOfPartsOfTheKernelAreTheKernel) {
  TimelineRecords in;
  in.kernel_mmap(kernel_text, 0x1000000, kernel_text, "[kernel.kallsyms]_text");
  in.kernel_mmap(kernel_text + 0x2000000, 0x1000, 0, "[kernel.vmlinux].init.text");
  EXPECT_EQ(in.kernel_binary(kernel_text + 0x2000000).kind, BinaryKind::kernel);
  EXPECT_EQ(in.kernel_place(kernel_text + 0x2000010), "[kernel.vmlinux].init.text+ffffffff83000010");

  in.kernel_mmap(0xfffffe0000006000, 0x1000, kernel_text + 0xa00000, "__entry_SYSCALL_64_trampoline");
  EXPECT_EQ(in.kernel_place(0xfffffe0000006010), "[kernel.kallsyms]+ffffffff81a00010");
}

TEST(TimelineKernel, BuildIdsAreGivenByTheNameOfTheKernelOrModule) {
  const std::vector<std::byte> kernel_id(20, std::byte{1});
  const std::vector<std::byte> module_id(20, std::byte{2});
  TimelineRecords in;
  in.timeline.set_kernel(true, true);
  in.timeline.set_build_id("/boot/vmlinux-6.1.0", BuildId(kernel_id), CpuMode::kernel);
  in.timeline.set_build_id("/boot/vmlinux-other", BuildId(module_id), CpuMode::kernel);  // perf uses the first path
  in.timeline.set_build_id("/lib/modules/6.1.0/kernel/net/nf-tables.ko", BuildId(module_id), CpuMode::kernel);
  in.kernel_mmap(kernel_text, 0x1000000, kernel_text, "[kernel.kallsyms]_text");
  in.kernel_mmap(module, 0x5000, 0, "[nf_tables]");
  EXPECT_EQ(in.kernel_binary(kernel_text).build_id, BuildId(kernel_id));
  EXPECT_EQ(in.kernel_binary(module).build_id, BuildId(module_id));
  EXPECT_TRUE(in.kernel_binary(module).same_kernel);
}

TEST(TimelineKernel, ASymbolIsMappedWhileItIsRegistered) {
  TimelineRecords in;
  in.ksymbol(0xffffffffa0000000, 0x80, registered, "bpf_prog_1234_x");
  const ThreadState during = in.thread(5, 5);
  in.ksymbol(0xffffffffa0000000, 0x80, unregistered, "bpf_prog_1234_x");
  const ThreadState after = in.thread(5, 5);
  EXPECT_EQ(in.place(during, CpuMode::kernel, 0xffffffffa0000010), "bpf_prog_1234_x+10");
  EXPECT_EQ(in.place(during, CpuMode::kernel, 0xffffffffa0000080), "");
  EXPECT_EQ(in.place(after, CpuMode::kernel, 0xffffffffa0000010), "");
  EXPECT_EQ(after.kernel_maps, 0u);
  EXPECT_EQ(in.timeline.binaries()[0].kind, BinaryKind::kernel_symbol);
  EXPECT_EQ(in.timeline.binaries()[0].size, 0x80u);
}

TEST(TimelineKernel, UnregisteringAnUnknownSymbolLeavesModulesAlone) {
  TimelineRecords in;
  in.kernel_mmap(module, 0x5000, 0, "[ext4]");
  in.ksymbol(module + 0x100, 0x80, unregistered, "bpf_prog_1234_x");
  EXPECT_EQ(in.kernel_place(module + 0x104), "[ext4]+104");
}

TEST(TimelineKernel, MappingsOfGuestsAreNotFollowed) {
  TimelineRecords in;
  in.mmap(4, ~0u, kernel_text, 0x1000, kernel_text, "[guest.kernel.kallsyms]_text");
  in.mmap(5, 5, 0x1000, 0x1000, 0, "/bin/in-guest");
  EXPECT_TRUE(in.timeline.binaries().empty());
}

TEST(KernelNames, AModuleIsNamedByItsFile) {
  EXPECT_EQ(module_name("/lib/modules/6.1.0/kernel/snd-hda-intel.ko.zst"), "[snd_hda_intel]");
  EXPECT_EQ(module_name("[aaa.bbb]"), "[aaa.bbb]");
  EXPECT_EQ(module_name("/lib/modules/6.1.0/x.ko.gz"), "[x]");
  EXPECT_EQ(module_name("/lib/modules/6.1.0/.ko"), "");
  EXPECT_EQ(module_name("[kernel.kallsyms]"), "");
  EXPECT_EQ(module_name("[vdso]"), "");
  EXPECT_EQ(module_name("/usr/lib/debug/boot/vmlinux-6.1.0"), "");
}

}  // namespace
}  // namespace perfsift::reader
