// Modules that receive samples of --call-graph dwarf: the registers and the stack copy behind the callchain are read,
// and the stack is unwound.
//
// The program of these stacks is missing, so the unwinder follows the frame pointers.

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <sys/utsname.h>

#include "tests/dlfilters/fake_perf.h"
#include "tests/support/bytes.h"
#include "tests/support/temporary.h"

namespace perfsift::dlfilter {
namespace {

namespace bit = reader::sample_bit;
using test::BytesBuilder;
using ::testing::HasSubstr;

constexpr std::uint64_t stack_pointer = 0x7fff0000;
constexpr std::uint64_t kernel_ip = 0xffffffff81000010;

// The words from the stack pointer upwards: a function's local words and saved registers, then those of its caller.
std::vector<std::uint64_t> stack() {
  return {0, 0, stack_pointer + 48, 0x2010, 0, 0, stack_pointer + 64, 0x3010, 0, 0};
}

// perf's numbers of the frame pointer, the stack pointer and the program counter, in this order: BP, SP and IP; X29, SP
// and PC. 0: the registers of this machine, which are those that modules expect, are not known.
std::uint64_t sampled_registers() {
  utsname names{};
  uname(&names);
  const std::string_view machine = names.machine;
  if (machine == "x86_64") return 1 << 6 | 1 << 7 | 1 << 8;
  if (machine == "aarch64") return std::uint64_t{1} << 29 | std::uint64_t{1} << 31 | std::uint64_t{1} << 32;
  return 0;
}

// A sample of this stack, taken in the kernel, with a copy of `copied` words of the stack.
FakeSample dwarf_sample(std::size_t copied, bool with_registers = true) {
  const std::uint64_t period = 5, time = 1000;
  BytesBuilder payload;
  payload.u64(kernel_ip).u32(12).u32(13).u64(time).u64(period);
  const std::size_t first_entry = 8 + payload.size() + 8;
  payload.u64(2).u64(reader::callchain_context::kernel).u64(kernel_ip);
  payload.u64(with_registers ? 2 : 0);                                                 // REGS_USER: 64 bits, or none
  if (with_registers) payload.u64(stack_pointer + 16).u64(stack_pointer).u64(0x1004);  // as in sampled_registers()
  payload.u64(80);                                                                     // STACK_USER
  for (const std::uint64_t word : stack()) payload.u64(word);
  payload.u64(copied * 8);

  FakeSample sample;
  sample.with_attr(24,
                   bit::ip | bit::tid | bit::time | bit::period | bit::callchain | bit::regs_user | bit::stack_user);
  sample.with_attr(0, std::uint64_t{112} << 32);  // the size of the attr
  sample.with_attr(80, sampled_registers());
  sample.with_thread(12, 13).with_ip(kernel_ip);
  sample.with_record(BytesBuilder().record(9, 1, payload.view()).take(), first_entry, 2);
  sample.sample.time = time;
  sample.sample.period = period;
  sample.sample.misc = sample.sample.cpumode = 1;
  return sample;
}

class UnwindingModules : public ::testing::Test {
 protected:
  void SetUp() override {
    if (sampled_registers() == 0) GTEST_SKIP() << "the registers of this machine are not known";
  }

  FakePerf& start(const std::string& module, std::vector<std::string> options) {
    perf_.emplace(module, Abi::v2, std::move(options));
    perf_->comm = "worker";
    perf_->places[0x1000] = {.sym = "leaf", .dso = "/nowhere/program"};
    perf_->places[0x2000] = {.sym = "middle", .dso = "/nowhere/program"};
    perf_->places[0x3000] = {.sym = "outer", .dso = "/nowhere/program"};
    perf_->places[0x4000] = {};
    perf_->places[kernel_ip & ~0xffULL] = {.sym = "entry", .dso = "[kernel.kallsyms]"};
    EXPECT_EQ(perf_->start(), 0);
    return *perf_;
  }
  std::string folded(const FakeSample& sample, std::vector<std::string> options = {}) {
    const std::string path = directory_.path() / "out";
    options.push_back("--output=" + path);
    start("fold", std::move(options)).filter(sample);
    EXPECT_EQ(perf_->stop(), 0);
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  const test::TemporaryDirectory directory_;
  std::optional<FakePerf> perf_;
};

TEST_F(UnwindingModules, FoldWholeStacks) {
  EXPECT_EQ(folded(dwarf_sample(10)), "worker;outer;middle;leaf;entry 5\n");
  EXPECT_EQ(folded(dwarf_sample(10), {"--annotate=guess"}), "worker;outer_[g];middle_[g];leaf;entry 5\n");
  EXPECT_EQ(folded(dwarf_sample(10), {"--kernel-only"}), "worker;entry 5\n");
}

TEST_F(UnwindingModules, ShowWhereTheCopyOfAStackEnds) {
  EXPECT_EQ(folded(dwarf_sample(6)), "worker;[truncated];middle;leaf;entry 5\n");
  EXPECT_EQ(folded(dwarf_sample(6), {"--kernel-only"}), "worker;entry 5\n");
}

TEST_F(UnwindingModules, FilterByWhatWasUnwound) {
  const auto keeps = [&](const std::string& expression, std::size_t copied) {
    const bool is_kept = start("filter", {expression}).filter(dwarf_sample(copied)) == 0;
    perf_->stop();
    return is_kept;
  };
  EXPECT_TRUE(keeps("stack has \"outer\"", 10));
  EXPECT_FALSE(keeps("stack has \"outer\"", 6));
  EXPECT_TRUE(keeps("depth == 4 && root == \"outer\" && caller == \"leaf\"", 10));
  EXPECT_FALSE(keeps("stack is truncated", 10));
  EXPECT_TRUE(keeps("stack is truncated", 6));
}

TEST_F(UnwindingModules, TakeTheKernelsPartOfThreadsWithoutRegisters) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(folded(dwarf_sample(0, false)), "worker;entry 5\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// perf has assembled a new sample: the memory around the callchain does not belong to it.
TEST_F(UnwindingModules, SayOnceThatARecordIsNotShown) {
  FakeSample moved = dwarf_sample(10);
  moved.sample.time = 1001;
  testing::internal::CaptureStderr();
  FakePerf& perf = start("filter", {"stack has \"outer\""});
  EXPECT_EQ(perf.filter(moved), 1);
  EXPECT_EQ(perf.filter(moved), 1);
  EXPECT_EQ(perf.filter(dwarf_sample(10)), 0);
  perf.stop();
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "perfsift-filter.so: perf gives dlfilters only the kernel part of stacks of --call-graph dwarf; perfsift "
            "itself reads the whole stacks\n");
}

// The record ends before the data that its event describes.
TEST_F(UnwindingModules, DoNotReadBehindTheRecord) {
  for (std::size_t missing = 8; missing <= 128; missing += 8) {
    FakeSample cut = dwarf_sample(10);
    cut.record.resize(cut.record.size() - missing);
    const auto size = static_cast<std::uint16_t>(cut.record.size());
    std::memcpy(cut.record.data() + 6, &size, sizeof size);
    testing::internal::CaptureStderr();
    EXPECT_EQ(folded(cut), "worker;entry 5\n") << missing;
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("only the kernel part of stacks")) << missing;
  }
}

}  // namespace
}  // namespace perfsift::dlfilter
