// Unwinding by the CFI of a jitdump. The CFI is made by hand, in the layout of the DWARF standard and the Linux
// Standard Base (.eh_frame).
#include "symbolize/unwind/jit_unwind_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "symbolize/unwind/unwinder.h"
#include "tests/support/bytes.h"
#include "tests/support/jit_dump.h"
#include "tests/support/temporary.h"
#include "tests/symbolize/fixtures.h"
#include "tests/symbolize/unwind/unwound.h"

namespace perfsift::symbolize {
namespace {

using test::addresses_of;
using test::BytesBuilder;
using test::JitDumpBuilder;
using ::testing::ElementsAre;

constexpr std::uint64_t code_size = 32;
constexpr std::uint32_t distance_to_code = 0u - static_cast<std::uint32_t>(code_size);  // .eh_frame follows the code

// One function of `code_size` bytes. Everywhere, the caller's stack pointer is `size` above the function's own.
std::string frame_of(std::uint8_t size) {
  BytesBuilder out;
  out.u32(20).u32(0).u8(1).text("zR").u8(0).u8(1).u8(0x78).u8(16).u8(1).u8(0x1b);  // pcrel, sdata4
  out.u8(0x0c).u8(7).u8(size).u8(0x90).u8(1).u8(0).u8(0);                          // DW_CFA_def_cfa rsp, offset r16
  out.u32(16).u32(28).u32(distance_to_code - 32).u32(code_size).u8(0).u8(0).u8(0).u8(0);
  return {reinterpret_cast<const char*>(out.view().data()), out.view().size()};
}

JitUnwindTables tables_of(const JitDumpBuilder& dump) {
  const auto bytes = std::make_shared<const std::vector<std::byte>>(dump.view().begin(), dump.view().end());
  return {parse_jit_dump(*bytes).value(), bytes};
}

std::optional<int> cfa_offset(const JitUnwindTables& tables, std::uint64_t address, std::uint64_t time) {
  const UnwindTable* table = tables.find(address, time, Architecture::x86_64);
  const FrameRule* rule = table == nullptr ? nullptr : table->find(address).rule;
  return rule == nullptr ? std::nullopt : std::optional<int>(rule->cfa_offset);
}

TEST(JitUnwindTables, EachPieceOfCodeHasItsRules) {
  const auto tables = tables_of(JitDumpBuilder()
                                    .unwinding(frame_of(16), "")
                                    .load(10, 0x1000, code_size, 1, "small")
                                    .unwinding(frame_of(80), "")
                                    .load(11, 0x2000, code_size, 2, "large")
                                    .load(12, 0x3000, code_size, 3, "untold"));
  EXPECT_EQ(cfa_offset(tables, 0x1000, 20), 16);
  EXPECT_EQ(cfa_offset(tables, 0x101f, 20), 16);
  EXPECT_EQ(cfa_offset(tables, 0x2010, 20), 80);
  EXPECT_EQ(cfa_offset(tables, 0x3000, 20), std::nullopt);
  EXPECT_EQ(tables.find(0x1020, 20, Architecture::x86_64), nullptr) << "behind the code";
}

TEST(JitUnwindTables, ReusedMemoryHasTheRulesOfWhatLayThereAtTheTime) {
  const auto tables = tables_of(JitDumpBuilder()
                                    .unwinding(frame_of(16), "")
                                    .load(10, 0x1000, code_size, 1, "old")
                                    .unwinding(frame_of(80), "")
                                    .load(20, 0x1000, code_size, 2, "new"));
  EXPECT_EQ(cfa_offset(tables, 0x1008, 15), 16);
  EXPECT_EQ(cfa_offset(tables, 0x1008, 20), 80);
  EXPECT_EQ(cfa_offset(tables, 0x1008, SymbolFile::latest), 80);
}

TEST(JitUnwindTables, MovedCodeKeepsItsRules) {
  const auto tables = tables_of(JitDumpBuilder()
                                    .unwinding(frame_of(48), "")
                                    .load(10, 0x1000, code_size, 1, "moved")
                                    .move(20, 0x1000, 0x5000, code_size, 1));
  EXPECT_EQ(cfa_offset(tables, 0x5008, 25), 48);
}

TEST(JitUnwindTables, OfAnotherByteOrderOrBrokenThereAreNone) {
  const auto swapped = tables_of(
      JitDumpBuilder(ByteOrder::swapped).unwinding(frame_of(16), "").load(10, 0x1000, code_size, 1, "far away"));
  EXPECT_EQ(swapped.find(0x1000, 10, Architecture::x86_64), nullptr);
  const auto broken =
      tables_of(JitDumpBuilder().unwinding("\x7f no CFI at all", "").load(10, 0x1000, code_size, 1, "broken"));
  EXPECT_EQ(cfa_offset(broken, 0x1000, 10), std::nullopt);
}

// CPython 3.13 leaves elf_mach 0 (perf_map_jit_init() in Python/perf_jit_trampoline.c).
TEST(JitUnwindTables, ADumpWithoutAMachineIsOfTheOneThatRuns) {
  const auto dump_of = [](std::uint32_t machine) {
    return tables_of(JitDumpBuilder(ByteOrder::native, 0, machine)
                         .unwinding(frame_of(16), "")
                         .load(10, 0x1000, code_size, 1, "py::main"));
  };
  EXPECT_EQ(cfa_offset(dump_of(0), 0x1000, 10), 16);
  EXPECT_EQ(dump_of(0).find(0x1000, 10, Architecture::aarch64)->architecture(), Architecture::aarch64);
  EXPECT_EQ(dump_of(183).find(0x1000, 10, Architecture::x86_64)->architecture(), Architecture::aarch64);
  EXPECT_EQ(dump_of(22).find(0x1000, 10, Architecture::x86_64), nullptr) << "EM_S390";
}

// The address space of a process that wrote a dump, at different times.
class JittedSpace : public AddressSpace {
 public:
  explicit JittedSpace(std::uint64_t time) : time_(time) {
    binary_.kind = BinaryKind::jit_dump;
    binary_.path = "/run/jit-7.dump";
  }
  std::uint32_t version() const override { return 1; }
  std::optional<MappedPart> find(std::uint64_t address) const override {
    if (address < 0x1000 || address >= 0x9000) return std::nullopt;
    return MappedPart{.start = 0x1000, .end = 0x9000, .page_offset = 0x1000};
  }
  const Binary& binary(std::uint32_t) const override { return binary_; }
  std::uint64_t code_time() const override { return time_; }

 private:
  std::uint64_t time_;
  Binary binary_;
};

// The registers and the stack of an x86-64 thread.
class Thread {
 public:
  Thread(std::initializer_list<std::uint64_t> bp_sp_ip, const BytesBuilder& stack) : stack_(stack) {
    for (const std::uint64_t value : bp_sp_ip) words_.u64(value);
  }
  UserState state() const {
    const auto* first = reinterpret_cast<const Unaligned<std::uint64_t>*>(words_.view().data());
    return {.architecture = Architecture::x86_64,
            .register_mask = 0b1'1100'0000,  // arch/x86/include/uapi/asm/perf_regs.h
            .registers = {first, 3},
            .stack = stack_.view()};
  }

 private:
  BytesBuilder words_;
  BytesBuilder stack_;
};

constexpr std::uint64_t stack_start = 0x7ffc00001000;

// The code of a function with a frame pointer, which calls another function in its bytes 4 to 8. Only an address after
// a call is a return address.
class FrameWithoutCfi : public testing::Test {
 protected:
  static constexpr std::uint8_t function[] = {0x55, 0x48, 0x89, 0xe5, 0xe8, 0, 0, 0, 0, 0x5d, 0xc3};

  FrameWithoutCfi() {
    JitDumpBuilder dump;
    for (std::uint64_t i = 1; i <= 3; ++i)
      dump.load(i, i << 12, sizeof function, i, "function", std::as_bytes(std::span(function)));
    directory_.write("run/jit-7.dump", dump.view());
  }

  UnwoundStack unwind(const Thread& thread) const {
    SymbolizeOptions options = test::nowhere_else();
    options.symfs = directory_.path();
    UnwindTables tables(options);
    UnwoundStack found;
    Unwinder(tables).unwind(thread.state(), JittedSpace(10), found);
    return found;
  }

 private:
  test::TemporaryDirectory directory_;
};

// With frame pointers alone, the direct caller would be missing: at these instructions the register still has, or
// already has again, the caller's value.
TEST_F(FrameWithoutCfi, ItsFirstAndLastInstructionsTellTheCaller) {
  const std::uint64_t first = 0x1000, second = 0x1001, last = 0x100a;
  for (const std::uint64_t edge : {first, last}) {
    const auto stack = BytesBuilder().u64(0x2009).u64(0).u64(0x3009);
    const UnwoundStack found = unwind(Thread({stack_start + 8, stack_start, edge}, stack));
    EXPECT_THAT(addresses_of(found), ElementsAre(edge, 0x2009, 0x3009));
    EXPECT_EQ(found.frames[1].origin, FrameOrigin::code);
    EXPECT_EQ(found.frames[2].origin, FrameOrigin::frame_pointer);
  }
  const auto pushed = BytesBuilder().u64(stack_start + 16).u64(0x2009).u64(0).u64(0x3009);
  EXPECT_THAT(addresses_of(unwind(Thread({stack_start + 16, stack_start, second}, pushed))),
              ElementsAre(second, 0x2009, 0x3009));
}

TEST_F(FrameWithoutCfi, AFramePointerThatLeadsToNoCallIsNotBelieved) {
  const auto stack = BytesBuilder().u64(0).u64(0x2007).u64(0);
  const UnwoundStack found = unwind(Thread({stack_start, stack_start, 0x1004}, stack));
  EXPECT_THAT(addresses_of(found), ElementsAre(0x1004));
  EXPECT_EQ(found.end, StackEnd::no_cfi);
}

TEST(JitUnwindTables, AStackIsUnwoundByTheRulesOfItsTime) {
  const test::TemporaryDirectory directory;
  directory.write("run/jit-7.dump", JitDumpBuilder()
                                        .unwinding(frame_of(24), "")
                                        .load(9, 0x2000, code_size, 1, "caller")
                                        .unwinding(frame_of(16), "")
                                        .load(10, 0x1000, code_size, 2, "old")
                                        .unwinding(frame_of(32), "")
                                        .load(20, 0x1000, code_size, 3, "new")
                                        .view());
  SymbolizeOptions options = test::nowhere_else();
  options.symfs = directory.path();
  UnwindTables tables(options);
  Unwinder unwinder(tables);  // a single unwinder: its cache must separate times

  // Return addresses are right below the caller's stack pointer.
  const auto stack = BytesBuilder().u64(0).u64(0x2008).u64(0).u64(0x2010).u64(0).u64(0).u64(0);
  const Thread thread({0, stack_start, 0x1004}, stack);
  const auto addresses_at = [&](std::uint64_t time) {
    UnwoundStack found;
    unwinder.unwind(thread.state(), JittedSpace(time), found);
    EXPECT_EQ(found.end, StackEnd::complete);
    EXPECT_EQ(found.frames.back().origin, FrameOrigin::cfi);
    return addresses_of(found);
  };
  EXPECT_THAT(addresses_at(15), ElementsAre(0x1004, 0x2008));
  EXPECT_THAT(addresses_at(25), ElementsAre(0x1004, 0x2010));
  EXPECT_THAT(addresses_at(15), ElementsAre(0x1004, 0x2008));
}

}  // namespace
}  // namespace perfsift::symbolize
