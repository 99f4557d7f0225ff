// Lines and inlined calls of kernels and their modules. The kernels are tiny, and compiled and linked like real
// kernels.

#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "symbolize/symbolizer.h"
#include "tests/support/temporary.h"
#include "tests/symbolize/fixtures.h"

namespace perfsift::symbolize {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The labels are at the code of an inlined call. The kernel discards `at_start` when a module runs.
constexpr std::string_view source = R"(#define LABEL(name) asm volatile(".globl " #name "\n" #name ": nop")
static inline __attribute__((always_inline)) int helper(int x) {
  LABEL(here);
  return x * 3;
}
__attribute__((noinline)) int work(int x) { return helper(x) + 1; }

__attribute__((section(".text.late"), aligned(64))) int late(int x) {
  LABEL(there);
  return x + 2;
}
__attribute__((section(".init.text"))) int at_start(int x) { return x + 4; }
)";

// A kernel is in the upper half of the address space and starts with a label.
constexpr std::string_view kernel_start = R"(.globl _text, _stext
.section .head.text, "ax"
_text:
_stext: nop
)";
constexpr std::uint64_t linked_at = 0xffffffff81000000;

class KernelDebugInfo : public testing::Test {
 protected:
  KernelDebugInfo() {
    directory.write("a.c", source);
    directory.write("start.S", kernel_start);
    options.symfs = directory.path();
    options.debug_dirs = {"/usr/lib/debug"};
  }
  bool run(const std::string& command) const {
    return std::system(("cd " + directory.path().string() + " && " + command + " 2>errors").c_str()) == 0;
  }
  std::string output(const std::string& command) const {
    run(command + " >output");
    std::string text = test::content_of(directory.path() / "output");
    return text.substr(0, text.find('\n'));
  }
  // A value from the output of nm and readelf.
  std::uint64_t value_of(const std::string& symbol, const std::string& file) const {
    return std::stoull(output("nm " + file + " | awk '$3 == \"" + symbol + "\" { print $1 }'"), nullptr, 16);
  }
  BuildId build_id_of(const std::string& file) const {
    return test::build_id_of_hex(output("readelf -n " + file + " | sed -n 's/.*Build ID: //p'"));
  }
  std::uint64_t size_of_text(const std::string& file) const {
    return std::stoull(output("size -A " + file + " | awk '$1 == \".text\" { print $2 }'"));
  }

  static std::vector<std::string> frames_at(const SymbolFile& names, std::uint64_t offset) {
    std::vector<SourceFrame> frames;
    names.append_source_frames(offset, frames);
    std::vector<std::string> result;
    for (const SourceFrame& frame : frames) {
      const std::string_view file = frame.place.file.substr(frame.place.file.rfind('/') + 1);
      result.push_back(fmt::format("{} {}:{}", frame.name, file, frame.place.line));
    }
    return result;
  }

  test::TemporaryDirectory directory;
  SymbolizeOptions options = test::nowhere_else();
};

class ModuleDebugInfo : public KernelDebugInfo {
 protected:
  void SetUp() override {
    ASSERT_TRUE(run("gcc -c -g -O2 -fno-pic a.c -o a.o && ld -r --build-id=sha1 a.o -o module.ko"))
        << test::content_of(directory.path() / "errors");
    module.kind = BinaryKind::kernel_module;
    module.path = "/lib/modules/6.1.0-test/kernel/module.ko";
    module.load_address = 0xffffffffc0000000;
    module.size = 0x4000;
  }
  void put(const std::string& file, const std::string& at) const {
    ASSERT_TRUE(run("mkdir -p ./$(dirname " + at + ") && cp " + file + " ." + at));
  }

  Binary module;
};

// The kernel loads the code sections one after another, and the initialisation code elsewhere.
TEST_F(ModuleDebugInfo, TheLinesOfAModuleAreWhereTheKernelPutsItsCode) {
  put("module.ko", module.path);
  Symbolizer symbolizer(options);
  const SymbolFile& names = symbolizer.file(module);
  EXPECT_THAT(frames_at(names, value_of("here", "module.ko")), ElementsAre("helper a.c:3", "work a.c:6"));
  const std::uint64_t late = (size_of_text("module.ko") + 63) / 64 * 64;
  EXPECT_EQ(test::name_at(names, late), "late");
  EXPECT_THAT(frames_at(names, late + value_of("there", "module.ko")), ElementsAre("late a.c:9"));
}

TEST_F(ModuleDebugInfo, APackedModuleHasLines) {
  ASSERT_TRUE(run("xz -k -0 module.ko"));
  module.path += ".xz";
  put("module.ko.xz", module.path);
  Symbolizer symbolizer(options);
  EXPECT_THAT(frames_at(symbolizer.file(module), value_of("here", "module.ko")),
              ElementsAre("helper a.c:3", "work a.c:6"));
}

TEST_F(ModuleDebugInfo, TheDebugFileOfAModuleIsFoundByItsBuildId) {
  ASSERT_TRUE(run("objcopy --only-keep-debug module.ko module.debug && cp module.ko stripped.ko"));
  ASSERT_TRUE(run("strip --strip-debug stripped.ko"));
  put("stripped.ko", module.path);
  const std::string id = build_id_of("module.ko").hex();
  put("module.debug", "/usr/lib/debug/.build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug");
  Symbolizer symbolizer(options);
  const SymbolFile& names = symbolizer.file(module);
  EXPECT_EQ(test::name_at(names, value_of("here", "module.ko")), "work");
  EXPECT_THAT(frames_at(names, value_of("here", "module.ko")), ElementsAre("helper a.c:3", "work a.c:6"));
}

class VmlinuxDebugInfo : public KernelDebugInfo {
 protected:
  void SetUp() override {
    const std::string link = fmt::format(" -static -nostdlib -no-pie -Wl,--build-id=sha1,-Ttext=0x{:x}", linked_at);
    if (!run("gcc -g -O2 -fno-pic -fno-pie -mcmodel=kernel -fno-asynchronous-unwind-tables start.S a.c -o vmlinux" +
             link + fmt::format(",--section-start=.head.text=0x{:x},-e,_text", linked_at - 0x1000)))
      GTEST_SKIP() << "no kernel can be linked: " << test::content_of(directory.path() / "errors");
    kernel.kind = BinaryKind::kernel;
    kernel.path = "[kernel.kallsyms]_stext";
    kernel.build_id = build_id_of("vmlinux");
    kernel.reference_symbol = "_stext";
    kernel.reference_address = value_of("_stext", "vmlinux") + moved_by;
  }
  void put(const std::string& file, const std::string& at) const {
    ASSERT_TRUE(run("mkdir -p ./$(dirname " + at + ") && cp " + file + " ." + at));
  }
  std::vector<std::string> frames_of_label() {
    Symbolizer symbolizer(options);
    return frames_at(symbolizer.file(kernel), value_of("here", "vmlinux") + moved_by);
  }

  static constexpr std::uint64_t moved_by = 0x1e200000;  // by KASLR
  Binary kernel;
};

class VmlinuxPlace : public VmlinuxDebugInfo, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(KernelDebugInfo, VmlinuxPlace,
                         testing::Values("/usr/lib/debug/boot/vmlinux-6.1.0-test",
                                         "/usr/lib/debug/lib/modules/6.1.0-test/vmlinux", "/boot/vmlinux-6.1.0-test",
                                         "/lib/modules/6.1.0-test/build/vmlinux"));

TEST_P(VmlinuxPlace, IsWhereDistributionsPutIt) {
  put("vmlinux", GetParam());
  Symbolizer symbolizer(options);
  const SymbolFile& names = symbolizer.file(kernel);
  EXPECT_EQ(names.source(), directory.path().string() + GetParam());
  EXPECT_EQ(test::name_at(names, value_of("here", "vmlinux") + moved_by), "work");
  EXPECT_EQ(test::name_at(names, value_of("here", "vmlinux")), "") << "it runs elsewhere";
  EXPECT_THAT(frames_of_label(), ElementsAre("helper a.c:3", "work a.c:6"));
}

TEST_F(VmlinuxDebugInfo, IsFoundByItsBuildIdInDebugFoldersAndPerfsCache) {
  const std::string id = kernel.build_id.hex();
  const std::string entry = "/.build-id/" + id.substr(0, 2) + "/" + id.substr(2);
  put("vmlinux", "/usr/lib/debug" + entry + ".debug");
  EXPECT_THAT(frames_of_label(), ElementsAre("helper a.c:3", "work a.c:6"));
  ASSERT_TRUE(run("rm -r usr"));
  EXPECT_THAT(frames_of_label(), IsEmpty());
  put("vmlinux", "/cache" + entry + "/elf");
  options.build_id_dir = directory.path() / "cache";
  EXPECT_THAT(frames_of_label(), ElementsAre("helper a.c:3", "work a.c:6"));
}

TEST_F(VmlinuxDebugInfo, OfAnotherBuildIsNotUsed) {
  put("vmlinux", "/boot/vmlinux-6.1.0-test");
  kernel.build_id = test::build_id_of_hex("0102030405060708090a0b0c0d0e0f1011121314");
  EXPECT_THAT(frames_of_label(), IsEmpty());
  Symbolizer symbolizer(options);
  EXPECT_EQ(symbolizer.file(kernel).why_missing(), Missing::foreign_kernel);
}

TEST_F(VmlinuxDebugInfo, IsShiftedByItsTextIfItDoesNotListTheSymbol) {
  ASSERT_TRUE(run("objcopy --strip-symbol=_stext vmlinux other"));
  kernel.reference_address = linked_at + moved_by;  // .text is behind .head.text
  options.vmlinux = directory.path() / "other";
  EXPECT_THAT(frames_of_label(), ElementsAre("helper a.c:3", "work a.c:6"));
  kernel.reference_symbol = "_text";
  ASSERT_TRUE(run("objcopy --strip-symbol=_text other other"));
  Symbolizer symbolizer(options);
  EXPECT_EQ(symbolizer.file(kernel).why_missing(), Missing::foreign_kernel);
}

TEST_F(VmlinuxDebugInfo, TheDebugInformationOfAGivenVmlinuxMayBeElsewhere) {
  ASSERT_TRUE(run("cp vmlinux whole && strip --strip-debug whole"));
  options.vmlinux = directory.path() / "whole";
  EXPECT_THAT(frames_of_label(), IsEmpty());
  put("vmlinux", "/boot/vmlinux-6.1.0-test");
  EXPECT_THAT(frames_of_label(), ElementsAre("helper a.c:3", "work a.c:6"));
}

}  // namespace
}  // namespace perfsift::symbolize
