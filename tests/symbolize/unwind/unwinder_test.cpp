// Stacks made by hand, with functions written in assembly (fixtures/calls_*.s).
#include "symbolize/unwind/unwinder.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "symbolize/symbolizer.h"
#include "symbolize/unwind/stack_memory.h"
#include "tests/support/bytes.h"
#include "tests/support/temporary.h"
#include "tests/symbolize/fixtures.h"
#include "tests/symbolize/unwind/unwound.h"

namespace perfsift::symbolize {
namespace {

using test::addresses_of;
using test::BytesBuilder;
using test::fixture;
using test::nowhere_else;
using ::testing::ElementsAre;

// One file, mapped as a whole at `base` (all its segments have the same distance between offset and address).
class OneFile : public AddressSpace {
 public:
  explicit OneFile(const std::string& path, std::uint64_t base = 0x7f0000000000) : base_(base) { binary_.path = path; }

  std::uint32_t version() const override { return 1; }
  std::optional<MappedPart> find(std::uint64_t address) const override {
    if (address - base_ >= size) return std::nullopt;
    return MappedPart{.start = base_, .end = base_ + size, .page_offset = 0, .binary = 0, .executable = true};
  }
  const Binary& binary(std::uint32_t) const override { return binary_; }

 private:
  static constexpr std::uint64_t size = 0x100000;
  std::uint64_t base_;
  Binary binary_;
};

// A thread in calls.ARCHITECTURE.so: registers by perf's numbers, the stack word by word.
class UnwinderTest : public testing::Test {
 protected:
  static constexpr std::uint64_t base = 0x7f0000000000;
  static constexpr std::uint64_t stack_start = 0x7ffc00001000;

  void use(Architecture architecture, const std::string& name) {
    architecture_ = architecture;
    file_ = fixture(name);
    if (!std::filesystem::exists(file_)) GTEST_SKIP() << "no clang to make " << name;
    Binary binary;
    binary.path = file_;
    Symbolizer symbolizer(nowhere_else());
    for (const Symbol& symbol : symbolizer.file(binary).symbols())
      places_[std::string(symbol.name)] = base + symbol.start;
  }
  void SetUp() override { use(Architecture::x86_64, "calls.x86_64.so"); }

  // The address of a label in the process.
  std::uint64_t at(const std::string& label) const {
    const auto found = places_.find(label);
    if (found == places_.end()) throw std::runtime_error("no label " + label);
    return found->second;
  }

  UnwoundStack unwind(const std::map<unsigned, std::uint64_t>& registers, Bytes stack, UnwindLimits limits = {},
                      const OtherStack* earlier = nullptr) {
    BytesBuilder words;
    std::uint64_t mask = 0;
    for (const auto& [number, value] : registers) words.u64(value), mask |= std::uint64_t{1} << number;
    const auto* first = reinterpret_cast<const Unaligned<std::uint64_t>*>(words.view().data());
    const UserState state{.architecture = architecture_,
                          .register_mask = mask,
                          .registers = {first, registers.size()},
                          .stack = stack,
                          .earlier = earlier};
    UnwindTables tables(nowhere_else());
    Unwinder unwinder(tables, limits);
    UnwoundStack result;
    unwinder.unwind(state, OneFile(file_, base), result);
    return result;
  }

  Architecture architecture_ = Architecture::x86_64;
  std::string file_;
  std::map<std::string, std::uint64_t> places_;
};

std::vector<FrameOrigin> origins_of(const UnwoundStack& stack) {
  std::vector<FrameOrigin> origins;
  for (const Frame& frame : stack.frames) origins.push_back(frame.origin);
  return origins;
}

constexpr unsigned bx = 1, di = 5, bp = 6, sp = 7, ip = 8;  // arch/x86/include/uapi/asm/perf_regs.h

TEST_F(UnwinderTest, ACompleteStackEndsWhereTheReturnAddressIsUndefined) {
  const auto stack =
      BytesBuilder().u64(at("outer_return")).zeros(16).u64(0xb9).u64(0xb8).u64(at("start_return")).take();
  const auto result = unwind({{sp, stack_start}, {ip, at("inner")}}, stack);
  EXPECT_THAT(addresses_of(result), ElementsAre(at("inner"), at("outer_return"), at("start_return")));
  EXPECT_EQ(result.end, StackEnd::complete);
  EXPECT_THAT(origins_of(result), ElementsAre(FrameOrigin::sample, FrameOrigin::cfi, FrameOrigin::cfi));
  EXPECT_FALSE(result.frames[0].return_address);
  EXPECT_TRUE(result.frames[1].return_address);
  EXPECT_EQ(result.frames[0].stack_pointer, stack_start);
  EXPECT_EQ(result.frames[1].stack_pointer, stack_start + 8);
  EXPECT_EQ(result.frames[2].stack_pointer, stack_start + 48);
}

TEST_F(UnwinderTest, RegistersThatWereSavedOnTheWayLeadOn) {
  // The CFA of by_rbx is 16 above rbx, which outer has saved: CFA = stack_start + 72. The return address is 8 below.
  const auto stack = BytesBuilder()
                         .u64(at("outer_return"))
                         .zeros(16)
                         .u64(0xb9)
                         .u64(stack_start + 56)
                         .u64(at("by_rbx_return"))
                         .zeros(16)
                         .u64(at("start_return"))
                         .take();
  const auto result = unwind({{bx, 0x1234}, {sp, stack_start}, {ip, at("inner")}}, stack);
  EXPECT_THAT(addresses_of(result),
              ElementsAre(at("inner"), at("outer_return"), at("by_rbx_return"), at("start_return")));
  EXPECT_EQ(result.end, StackEnd::complete);
}

TEST_F(UnwinderTest, ARegisterThatAnEpilogueHasPoppedIsWhereItBelongs) {
  // At outer's ret, the CFI still says that rbx is saved 16 below the CFA, which is below the stack pointer.
  const auto stack = BytesBuilder().u64(at("by_rbx_return")).zeros(16).u64(at("start_return")).take();
  const auto result = unwind({{bx, stack_start + 16}, {sp, stack_start}, {ip, at("outer_ret")}}, stack);
  EXPECT_THAT(addresses_of(result), ElementsAre(at("outer_ret"), at("by_rbx_return"), at("start_return")));
}

TEST_F(UnwinderTest, AStackThatWasNotCopiedToItsEndIsTruncated) {
  const auto stack = BytesBuilder().u64(at("outer_return")).zeros(24).take();
  const auto result = unwind({{sp, stack_start}, {ip, at("inner")}}, stack);
  EXPECT_THAT(addresses_of(result), ElementsAre(at("inner"), at("outer_return")));
  EXPECT_EQ(result.end, StackEnd::truncated);
  EXPECT_EQ(result.missing_address, stack_start + 40);
}

TEST_F(UnwinderTest, EarlierSamplesKnowWhatWasNotCopied) {
  const auto stack = BytesBuilder().u64(at("outer_return")).zeros(24).take();
  StackMemory memory(4096);
  memory.remember(stack_start + 32, BytesBuilder().u64(0).u64(at("start_return")).view());
  const auto result = unwind({{sp, stack_start}, {ip, at("inner")}}, stack, {}, &memory);
  EXPECT_THAT(addresses_of(result), ElementsAre(at("inner"), at("outer_return"), at("start_return")));
  EXPECT_THAT(origins_of(result), ElementsAre(FrameOrigin::sample, FrameOrigin::cfi, FrameOrigin::earlier_stack));
  EXPECT_EQ(result.end, StackEnd::complete);
}

TEST_F(UnwinderTest, AReturnAddressOfZeroIsTheEnd) {
  const auto result = unwind({{sp, stack_start}, {ip, at("inner")}}, BytesBuilder().u64(0).view());
  EXPECT_THAT(addresses_of(result), ElementsAre(at("inner")));
  EXPECT_EQ(result.end, StackEnd::complete);
}

TEST_F(UnwinderTest, NoMoreFramesThanWereAskedFor) {
  BytesBuilder stack;
  stack.u64(at("outer_return"));
  for (int i = 0; i < 200; ++i) stack.zeros(32).u64(at("outer_return"));
  const auto result = unwind({{sp, stack_start}, {ip, at("inner")}}, stack.view());
  EXPECT_EQ(result.frames.size(), 127u);
  EXPECT_EQ(result.end, StackEnd::max_frames);
  EXPECT_EQ(unwind({{sp, stack_start}, {ip, at("inner")}}, stack.view(), {.max_frames = 3}).frames.size(), 3u);
}

TEST_F(UnwinderTest, WithoutAStackPointerThereIsNothing) {
  EXPECT_EQ(unwind({{ip, at("inner")}}, {}).end, StackEnd::no_registers);
  EXPECT_EQ(unwind({{sp, stack_start}}, {}).end, StackEnd::no_registers);
}

TEST_F(UnwinderTest, ExpressionsSayWhereTheCallerIs) {
  const auto stack = BytesBuilder().u64(0).u64(at("by_rbx_return")).zeros(16).u64(1).u64(at("start_return")).take();
  // CFA = rdi + 32, the return address is at rdi + 8, rbx = rdi + 1. So the CFA of by_rbx is rdi + 1 + 16, and its
  // return address is 8 below. This is not aligned, so only the first caller is checked.
  const auto result = unwind({{bx, 0}, {di, stack_start}, {sp, stack_start}, {ip, at("by_expression")}}, stack);
  ASSERT_GE(result.frames.size(), 2u);
  EXPECT_EQ(result.frames[1].address, at("by_rbx_return"));
  EXPECT_EQ(result.frames[1].stack_pointer, stack_start + 32);
}

TEST_F(UnwinderTest, RulesThatLeadDownTheStackEndIt) {
  const auto stack = BytesBuilder().u64(0).u64(at("by_rbx_return")).zeros(48).take();
  // The CFA of by_rbx is far below.
  const auto result =
      unwind({{bx, stack_start - 0x100}, {sp, stack_start + 8}, {ip, at("inner")}}, Bytes(stack).subspan(8));
  EXPECT_THAT(addresses_of(result), ElementsAre(at("inner"), at("by_rbx_return")));
  EXPECT_EQ(result.end, StackEnd::bad_stack);
}

TEST_F(UnwinderTest, WithoutCfiTheFramePointerLeadsOn) {
  // framed() has called framed(): two frame records.
  const auto stack =
      BytesBuilder().u64(stack_start + 16).u64(at("framed_return")).u64(0).u64(at("start_return")).take();
  const auto result = unwind({{bp, stack_start}, {sp, stack_start}, {ip, at("framed_body")}}, stack);
  EXPECT_THAT(addresses_of(result), ElementsAre(at("framed_body"), at("framed_return"), at("start_return")));
  EXPECT_THAT(origins_of(result),
              ElementsAre(FrameOrigin::sample, FrameOrigin::frame_pointer, FrameOrigin::frame_pointer));
  EXPECT_EQ(result.end, StackEnd::complete);
}

TEST_F(UnwinderTest, AFramePointerThatLeadsToNoCallIsNotFollowed) {
  const auto stack = BytesBuilder().u64(stack_start + 16).u64(at("frameless_body")).zeros(64).take();
  const auto result = unwind({{bp, stack_start}, {sp, stack_start}, {ip, at("framed_body")}}, stack);
  EXPECT_THAT(addresses_of(result), ElementsAre(at("framed_body")));
  EXPECT_EQ(result.end, StackEnd::no_cfi);
  EXPECT_EQ(unwind({{bp, 0x1234}, {sp, stack_start}, {ip, at("framed_body")}}, stack).end, StackEnd::no_cfi);
  EXPECT_EQ(unwind({{bp, stack_start - 16}, {sp, stack_start}, {ip, at("framed_body")}}, stack).end, StackEnd::no_cfi);
}

TEST_F(UnwinderTest, AFramePointerAboveWhatWasCopiedIsTruncation) {
  const auto result =
      unwind({{bp, stack_start + 0x4000}, {sp, stack_start}, {ip, at("framed_body")}}, BytesBuilder().zeros(64).view());
  EXPECT_EQ(result.end, StackEnd::truncated);
  EXPECT_EQ(result.missing_address, stack_start + 0x4008);
}

TEST_F(UnwinderTest, WithoutCfiTheFirstAndLastInstructionsTellWhereTheReturnAddressIs) {
  const auto on_top = BytesBuilder().u64(at("start_return")).take();
  for (const char* const label : {"framed", "framed_ret"}) {
    const auto result = unwind({{bp, 0}, {sp, stack_start}, {ip, at(label)}}, on_top);
    EXPECT_THAT(addresses_of(result), ElementsAre(at(label), at("start_return"))) << label;
    EXPECT_EQ(result.frames[1].origin, FrameOrigin::code);
  }
  const auto pushed = BytesBuilder().u64(0x77).u64(at("start_return")).take();
  EXPECT_THAT(addresses_of(unwind({{bp, 0}, {sp, stack_start}, {ip, at("framed_pushed")}}, pushed)),
              ElementsAre(at("framed_pushed"), at("start_return")));
}

TEST_F(UnwinderTest, AFunctionWithoutAFrameIsKnownByTheCallThatWentThere) {
  const auto stack = BytesBuilder().u64(at("framed_return")).u64(0).u64(at("start_return")).take();
  const auto result = unwind({{bp, stack_start + 8}, {sp, stack_start}, {ip, at("frameless_body")}}, stack);
  EXPECT_THAT(addresses_of(result), ElementsAre(at("frameless_body"), at("framed_return"), at("start_return")));
}

TEST_F(UnwinderTest, ACallOfNothingHasACaller) {
  const auto result = unwind({{sp, stack_start}, {ip, 0}}, BytesBuilder().u64(at("start_return")).view());
  EXPECT_THAT(addresses_of(result), ElementsAre(0u, at("start_return")));
  EXPECT_EQ(unwind({{sp, stack_start}, {ip, 0}}, BytesBuilder().u64(1).view()).end, StackEnd::not_mapped);
}

TEST_F(UnwinderTest, SignalFramesWithoutCfiAreThoseOfTheKernel) {
  // handler() has returned to restorer(), so struct ucontext is on top of the stack. uc_mcontext is at 40, with rbp at
  // 80, rsp at 120 and rip at 128.
  BytesBuilder stack;
  stack.u64(at("restorer")).zeros(40 + 120).u64(stack_start + 8 + 40 + 136).u64(at("inner")).u64(at("start_return"));
  const auto result = unwind({{sp, stack_start}, {ip, at("inner")}}, stack.view());
  EXPECT_THAT(addresses_of(result), ElementsAre(at("inner"), at("restorer"), at("inner"), at("start_return")));
  EXPECT_FALSE(result.frames[2].return_address);
  EXPECT_EQ(result.end, StackEnd::complete);
}

TEST_F(UnwinderTest, AFileWithoutSectionHeadersHasItsCfiAll) {
  std::string image = test::content_of(file_);
  std::fill_n(image.begin() + 0x28, 8, '\0');  // e_shoff
  std::fill_n(image.begin() + 0x3a, 6, '\0');  // e_shentsize, e_shnum, e_shstrndx
  const test::TemporaryDirectory directory;
  file_ = directory.write("stripped.so", image);
  const auto stack = BytesBuilder().u64(at("outer_return")).zeros(32).u64(at("start_return")).take();
  const auto result = unwind({{sp, stack_start}, {ip, at("inner")}}, stack);
  EXPECT_THAT(addresses_of(result), ElementsAre(at("inner"), at("outer_return"), at("start_return")));
}

TEST_F(UnwinderTest, WithoutTheFileThereIsTheFirstFrame) {
  file_ = "/nonexistent";
  const auto result = unwind({{sp, stack_start}, {ip, at("inner")}}, BytesBuilder().u64(at("outer_return")).view());
  EXPECT_THAT(addresses_of(result), ElementsAre(at("inner")));
  EXPECT_EQ(result.end, StackEnd::no_cfi);
}

class UnwinderI386 : public UnwinderTest {
 protected:
  void SetUp() override { use(Architecture::i386, "calls.i386.so"); }
};

TEST_F(UnwinderI386, HasWordsOfFourBytes) {
  // The kernel writes 64 bits for each register. The file must be mapped below 4 GiB.
  const auto low = [&](const std::string& label) { return static_cast<std::uint32_t>(at(label)); };
  const auto stack = BytesBuilder().u32(low("outer_return")).u32(0xb8).u32(low("start_return")).take();
  BytesBuilder words;
  words.u64(0xffffd000).u64(0xdead00000000 | low("inner"));
  const auto* first = reinterpret_cast<const Unaligned<std::uint64_t>*>(words.view().data());
  const UserState state{
      .architecture = Architecture::i386, .register_mask = 1 << sp | 1 << ip, .registers = {first, 2}, .stack = stack};
  UnwindTables tables(nowhere_else());
  UnwoundStack result;
  Unwinder(tables).unwind(state, OneFile(file_, static_cast<std::uint32_t>(base)), result);
  EXPECT_THAT(addresses_of(result), ElementsAre(low("inner"), low("outer_return"), low("start_return")));
  EXPECT_EQ(result.end, StackEnd::complete);
}

class UnwinderAarch64 : public UnwinderTest {
 protected:
  static constexpr unsigned x19 = 19, fp = 29, lr = 30, sp = 31, pc = 32;  // arch/arm64/include/uapi/asm/perf_regs.h
  static constexpr std::uint64_t signature = 0x002b000000000000;

  void SetUp() override { use(Architecture::aarch64, "calls.aarch64.so"); }
};

TEST_F(UnwinderAarch64, TheFirstCallerIsInTheLinkRegister) {
  const auto stack = BytesBuilder().u64(0).u64(at("start_return") | signature).zeros(32).take();
  const auto result = unwind({{fp, 1}, {lr, at("outer_return")}, {sp, stack_start}, {pc, at("inner")}}, stack);
  EXPECT_THAT(addresses_of(result), ElementsAre(at("inner"), at("outer_return"), at("start_return")));
  EXPECT_EQ(result.end, StackEnd::complete);
}

TEST_F(UnwinderAarch64, RegistersThatWereSavedOnTheWayLeadOn) {
  // The CFA of by_x19 is 32 above x19, which outer has saved at 16: CFA = stack_start + 80. The return address is 8
  // below.
  const auto stack = BytesBuilder()
                         .u64(0)
                         .u64(at("by_x19_return") | signature)
                         .u64(stack_start + 48)
                         .zeros(48)
                         .u64(at("start_return"))
                         .take();
  const auto result =
      unwind({{x19, 0}, {fp, 1}, {lr, at("outer_return")}, {sp, stack_start}, {pc, at("inner")}}, stack);
  EXPECT_THAT(addresses_of(result),
              ElementsAre(at("inner"), at("outer_return"), at("by_x19_return"), at("start_return")));
}

TEST_F(UnwinderAarch64, AReturnAddressThatLeadsBackToItselfEndsTheStack) {
  // inner cannot be a caller: its CFI says that the return address is still in the link register.
  const auto result = unwind({{lr, at("inner") + 4}, {sp, stack_start}, {pc, at("inner")}}, {});
  EXPECT_EQ(result.end, StackEnd::bad_stack);
  EXPECT_LE(result.frames.size(), 2u);
}

TEST_F(UnwinderAarch64, WithoutCfiTheFramePointerLeadsOn) {
  const auto stack = BytesBuilder().u64(0).u64(at("start_return") | signature).zeros(16).take();
  const auto result =
      unwind({{fp, stack_start}, {lr, at("framed_return")}, {sp, stack_start}, {pc, at("framed_body")}}, stack);
  EXPECT_THAT(addresses_of(result), ElementsAre(at("framed_body"), at("start_return")));
  EXPECT_EQ(result.frames[1].origin, FrameOrigin::frame_pointer);
}

TEST(Architecture, IsThatOfTheTaskNotOfTheKernel) {
  EXPECT_EQ(architecture_of("x86_64", 2), Architecture::x86_64);
  EXPECT_EQ(architecture_of("x86_64", 1), Architecture::i386);
  EXPECT_EQ(architecture_of("i686", 1), Architecture::i386);
  EXPECT_EQ(architecture_of("aarch64", 2), Architecture::aarch64);
  EXPECT_EQ(architecture_of("aarch64", 1), std::nullopt);
  EXPECT_EQ(architecture_of("x86_64", 0), std::nullopt);
  EXPECT_EQ(architecture_of("s390x", 2), std::nullopt);
}

}  // namespace
}  // namespace perfsift::symbolize
