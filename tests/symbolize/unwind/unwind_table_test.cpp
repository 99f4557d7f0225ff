// Unwind tables of binaries: file offsets and addresses, and use by several threads at once.
#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "symbolize/search/vdso.h"
#include "symbolize/symbolizer.h"
#include "symbolize/unwind/unwind_tables.h"
#include "tests/symbolize/fixtures.h"

namespace perfsift::symbolize {
namespace {

using test::fixture;
using test::nowhere_else;

Binary binary_at(const std::string& path) {
  Binary binary;
  binary.path = path;
  return binary;
}

TEST(UnwindTable, PlacesInTheFileAreInTheSegmentOfCode) {
  // lld may use the last page of one segment as the first page of the next. Then the page at 0x1000 in the file (if the
  // file were that long) is mapped twice. Each file offset still has only one code address. With every segment, the
  // distance between offset and address grows by 0x1000.
  const std::string path = fixture("calls.x86_64.so");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no clang";
  Missing why{};
  const auto file = ElfFile::open(path, why);
  const UnwindTable table(file, nullptr);
  const auto code = std::ranges::find_if(
      file->segments(), [](const GElf_Phdr& s) { return s.p_type == PT_LOAD && (s.p_flags & PF_X) != 0; });
  ASSERT_NE(code, file->segments().end());
  ASSERT_NE(code->p_vaddr, code->p_offset);
  EXPECT_EQ(table.address_of(code->p_offset), code->p_vaddr);
  EXPECT_EQ(table.address_of(code->p_offset + code->p_filesz - 1), code->p_vaddr + code->p_filesz - 1);
  EXPECT_EQ(table.address_of(0), 0u);
  EXPECT_EQ(table.address_of(std::filesystem::file_size(path)), std::nullopt);
}

// Whether the code at a label has no frame. The functions are in assembly: labels of fixtures/calls_*.s.
bool is_frameless(const std::string& name, const std::string& label, std::uint64_t offset = 0) {
  const Binary binary = binary_at(fixture(name));
  Symbolizer symbolizer(nowhere_else());
  const auto symbols = symbolizer.file(binary).symbols();
  const auto symbol = std::ranges::find(symbols, label, &Symbol::name);
  if (symbol == symbols.end()) throw std::runtime_error("no label " + label);
  const UnwindTable& table = symbolizer.unwind_tables().table(binary);
  return table.is_frameless(table.address_of(symbol->start + offset).value());
}

TEST(UnwindTable, AFunctionIsFramelessWhereOnlyTheStackPointerLeadsToItsCaller) {
  if (!std::filesystem::exists(fixture("calls.x86_64.so"))) GTEST_SKIP() << "no clang";
  EXPECT_TRUE(is_frameless("calls.x86_64.so", "inner"));
  EXPECT_FALSE(is_frameless("calls.x86_64.so", "start_return"));  // the stack ends there
  EXPECT_TRUE(is_frameless("calls.aarch64.so", "inner"));
  EXPECT_FALSE(is_frameless("calls.aarch64.so", "outer_return"));  // the link register is saved
  EXPECT_FALSE(is_frameless("calls.aarch64.so", "framed_body"));   // no rules
}

TEST(UnwindTable, WritableMemoryIsNotReadFromTheFile) {
  const std::string path = fixture("calls.x86_64.so");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no clang";
  Missing why{};
  const auto file = ElfFile::open(path, why);
  const UnwindTable table(file, nullptr);
  for (const GElf_Phdr& segment : file->segments()) {
    if (segment.p_type != PT_LOAD) continue;
    const std::size_t readable = (segment.p_flags & PF_W) != 0 ? 0 : segment.p_filesz;
    EXPECT_EQ(table.read_only(segment.p_vaddr).size(), readable);
  }
  EXPECT_TRUE(table.read_only(0x10000000).empty());
}

TEST(UnwindTable, TheVdsoHasASignalFrameOrNone) {
  const auto vdso = running_vdso();
  if (!vdso) GTEST_SKIP() << "no vdso";
  const UnwindTable table(vdso, nullptr);
  EXPECT_GT(table.function_count(), 0u);
  const auto* text = vdso->section(".text");
  ASSERT_NE(text, nullptr);
  EXPECT_NE(table.find(text->header.sh_addr).table, nullptr);
}

TEST(UnwindTable, CompiledOnFirstTouchOrAllAtOnceTheRulesAreTheSame) {
  const std::string path = "/lib/x86_64-linux-gnu/libc.so.6";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  UnwindTables tables(nowhere_else());
  const UnwindTable& table = tables.table(binary_at(path));
  const RuleTable all = table.compile_all();
  ASSERT_GT(all.rows.size(), 10000u);
  const auto same = [&](std::uint32_t address) {
    const FrameRule* expected = all.find(address);
    const auto found = table.find(table.base() + address);
    if (expected == nullptr || found.rule == nullptr) return expected == found.rule;
    return expected->cfa_register == found.rule->cfa_register && expected->flags == found.rule->flags &&
           expected->register_count == found.rule->register_count &&
           (!expected->is(FrameRule::plain) || expected->cfa_offset == found.rule->cfa_offset);
  };
  // The threads start at different addresses and meet on the way.
  constexpr std::size_t threads = 4;
  std::vector<std::size_t> different(threads);
  std::vector<std::thread> running;
  for (std::size_t t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      for (std::size_t i = 0; i < all.rows.size(); ++i)
        if (!same(all.rows[(i + t * all.rows.size() / threads) % all.rows.size()].start)) ++different[t];
    });
  for (std::thread& thread : running) thread.join();
  EXPECT_EQ(different, std::vector<std::size_t>(threads, 0));
}

TEST(UnwindTables, TheSameBinaryHasTheSameTable) {
  UnwindTables tables(nowhere_else());
  const Binary binary = binary_at(fixture("marked.so"));
  EXPECT_EQ(&tables.table(binary), &tables.table(binary));
  EXPECT_NE(&tables.table(binary), &tables.table(binary_at("/nonexistent")));
}

TEST(UnwindTables, AFileOfAnotherBuildIsNotUsed) {
  UnwindTables tables(nowhere_else());
  Binary binary = binary_at(fixture("marked.so"));
  EXPECT_GT(tables.table(binary).function_count(), 0u);
  binary.build_id = test::build_id_of_hex("00112233445566778899aabbccddeeff00112233");
  EXPECT_EQ(tables.table(binary).function_count(), 0u);
}

TEST(UnwindTables, CfiOfASeparateDebugFileIsUsed) {
  const std::string whole = fixture("frames.debug_frame.so"), stripped = fixture("frames.stripped.so");
  if (!std::filesystem::exists(stripped)) GTEST_SKIP() << "no clang";
  UnwindTables tables(nowhere_else());
  const UnwindTable& table = tables.table(binary_at(stripped));
  EXPECT_EQ(table.function_count(), 8u);  // the functions of frames.c
  EXPECT_EQ(table.function_count(), tables.table(binary_at(whole)).function_count());
}

TEST(UnwindTables, WithoutAFileThereIsNothing) {
  UnwindTables tables(nowhere_else());
  const UnwindTable& table = tables.table(binary_at("/nonexistent"));
  EXPECT_FALSE(table.architecture());
  EXPECT_EQ(table.find(0x1000).rule, nullptr);
  EXPECT_EQ(table.address_of(0x1000), std::nullopt);
}

}  // namespace
}  // namespace perfsift::symbolize
