// report --annotate in code of the kernel: of a vmlinux, which KASLR moved, and of a module, which is not linked. Both
// are assembled here; what instructions refer to is what `objdump -dr` says.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::annotated_kernels {  // a unity build compiles other tests in the same file
namespace {

using reader::RecordType;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t linked_at = 0xffffffff81000000, moved_by = 0x1e200000, module_text = 0xffffffffc0000000;
constexpr const char* module_path = "/lib/modules/6.1.0-test/kernel/module.ko";

// 5 + 6 + 7 + 7 + 2 + 1 bytes.
constexpr std::string_view module_source = R"(.text
.globl work
.type work, @function
work:
  call other
  addl %edi, counter(%rip)
  addl $5, counter+4(%rip)
  movq $.Ltext+1, %rdi
  jmp 1f
1: ret
.size work, .-work
.section .rodata
.Ltext: .string "ab"
)";
constexpr std::string_view kernel_source = R"(.text
.globl _text, _stext
_text:
_stext:
  nop
.type read_in_kernel, @function
read_in_kernel:
  call write_in_kernel
  ret
.size read_in_kernel, .-read_in_kernel
.type write_in_kernel, @function
write_in_kernel:
  ret
.size write_in_kernel, .-write_in_kernel
)";

// A sample at each address.
std::vector<std::byte> recording(std::uint64_t kernel, const std::vector<std::uint64_t>& addresses) {
  test::RecordingBuilder in;
  in.timed_event();
  in.kernel_map_at(1, kernel, 0x1000000, kernel, "[kernel.kallsyms]_stext");
  in.kernel_map_at(2, module_text, 0x4000, 0, module_path);
  in.comm_at(3, 7, "app");
  std::uint64_t time = 4;
  for (const std::uint64_t address : addresses)
    in.record(RecordType::sample, in.bytes().u64(address).u32(7).u32(7).u64(++time), test::kernel_mode);
  return in.file();
}

class AnnotatedKernel : public testing::Test {
 protected:
  void SetUp() override {
    folder.write("module.S", module_source);
    folder.write("kernel.S", kernel_source);
    const std::string made = fmt::format(
        "cd {0} && gcc -c module.S -o module.o && mkdir -p there/lib/modules/6.1.0-test/kernel && "
        "ld -r module.o -o there{1} && gcc -c kernel.S -o kernel.o && ld kernel.o -o vmlinux -static "
        "-Ttext=0x{2:x} -e _text 2>errors",
        folder.path().string(), module_path, linked_at);
    if (std::system("gcc -dumpmachine | grep -q ^x86_64-") != 0)
      GTEST_SKIP() << "this machine's assembler is not for x86-64";
    ASSERT_EQ(std::system(made.c_str()), 0);
  }
  Outcome annotated(const std::string& function, std::vector<std::string> words) const {
    words.insert(words.begin(), {"--no-cache", "-q", "--symfs", (folder.path() / "there").string(), "--annotate"});
    words.insert(words.begin() + 5, function);
    return run_command("report", words);
  }

  const test::TemporaryDirectory folder;
};

TEST_F(AnnotatedKernel, InstructionsOfAModuleNameWhatTheyReferTo) {
  const std::string input = folder.write("perf.data", recording(linked_at, {module_text, module_text + 5}));
  EXPECT_THAT(
      annotated("work", {input}).out,
      AllOf(HasSubstr("code of work in [module]\n"), HasSubstr(" 50.00%        1        0  call 0x5  # other\n"),
            HasSubstr(" 50.00%        1        5  add %edi, (%rip)  # counter\n"),
            HasSubstr(" b  addl $0x5, (%rip)  # counter+0x4\n"), HasSubstr(" 12  mov $0x0, %rdi  # .rodata+0x1\n"),
            HasSubstr(" 19  jmp 0x1b <work+0x1b>\n"), HasSubstr(" 1b  ret\n")));
}

TEST_F(AnnotatedKernel, AddressesAreThoseOfVmlinux) {
  const std::uint64_t read = linked_at + moved_by + 1;
  const std::string input = folder.write("perf.data", recording(linked_at + moved_by, {read, read + 5, read + 5}));
  const std::string vmlinux = (folder.path() / "vmlinux").string();
  EXPECT_THAT(annotated("read_in_kernel", {"--vmlinux", vmlinux, input}).out,
              AllOf(HasSubstr(" 33.33%        1  ffffffff81000001  call 0xffffffff81000007 <write_in_kernel>\n"),
                    HasSubstr(" 66.67%        2  ffffffff81000006  ret\n")));
}

TEST_F(AnnotatedKernel, AListOfSymbolsHasNoCode) {
  const std::string list = folder.write("list", std::string_view("ffffffff81000000 T _stext\n"
                                                                 "ffffffff81000001 T read_in_kernel\n"));
  const std::string input = folder.write("perf.data", recording(linked_at, {linked_at + 1}));
  EXPECT_THAT(annotated("read_in_kernel", {"--kallsyms", list, input}).out,
              AllOf(HasSubstr("no instructions: only a vmlinux has the kernel's code: give it by --vmlinux\n"),
                    HasSubstr("100.00%        1  ffffffff81000001\n")));
}

// In the second recording the address of the function is one that nothing, or something else, is at in the first.
TEST_F(AnnotatedKernel, OfTwoBootsKeepsTheAmounts) {
  const std::string vmlinux = (folder.path() / "vmlinux").string();
  for (const std::uint64_t distance : {std::uint64_t{0x200000}, std::uint64_t{6}}) {
    const std::uint64_t first = linked_at + moved_by, second = first + distance;
    const std::string a = folder.write("a.data", recording(first, {first + 1, first + 6}));
    const std::string b = folder.write("b.data", recording(second, {second + 1}));
    const Outcome outcome = annotated("read_in_kernel", {"--vmlinux", vmlinux, a, b});
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("read_in_kernel of cpu-clock: 100.00% self in 3 samples"),
                                   HasSubstr(fmt::format("1  {:x}\n", second + 1)), Not(HasSubstr("81000007  ret"))))
        << outcome.err;
  }
}

}  // namespace
}  // namespace perfsift::tools::annotated_kernels
