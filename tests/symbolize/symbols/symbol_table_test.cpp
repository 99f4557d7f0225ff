#include "symbolize/symbols/symbol_table.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace perfsift::symbolize {
namespace {

std::string_view name_of(const std::vector<Symbol>& symbols, std::uint64_t address, Aliases rule) {
  SymbolTable table;
  for (const Symbol& symbol : symbols) table.add(symbol);
  table.finish(rule);
  const Symbol* found = table.find(address);
  return found == nullptr ? "" : found->name;
}

// The start of .bss, as in every linked C program. perf 6.1 prints __TMC_END__.
const std::vector<Symbol> start_of_bss = {{0x70d0, 0x70d1, "completed.0", Binding::local},
                                          {0x70d0, 0x70d0, "__TMC_END__", Binding::global},
                                          {0x70d8, 0x70d8, "_end", Binding::global}};

TEST(SymbolTable, ASymbolThatKnowsItsSizeIsBetterThanALabel) {
  EXPECT_EQ(name_of(start_of_bss, 0x70d0, Aliases::best), "completed.0");
}

TEST(SymbolTable, ForPerfALabelHasASizeBeforeItIsCompared) {
  EXPECT_EQ(name_of(start_of_bss, 0x70d0, Aliases::perf_6_1), "__TMC_END__");
  EXPECT_EQ(name_of(start_of_bss, 0x70d7, Aliases::perf_6_1), "__TMC_END__");
}

TEST(SymbolTable, ForPerfTheLastOfSeveralLabelsIsTheOneWithASize) {
  const std::vector<Symbol> labels = {{0x100, 0x100, "global", Binding::global},
                                      {0x100, 0x100, "weak", Binding::weak},
                                      {0x200, 0x200, "next", Binding::global}};
  EXPECT_EQ(name_of(labels, 0x100, Aliases::best), "global");
  EXPECT_EQ(name_of(labels, 0x100, Aliases::perf_6_1), "weak");
}

// The symbol table of a small vmlinux, in its order, and the output of `perf script --vmlinux` at each start. perf 7.2
// prints a label only where there is no other symbol.
TEST(SymbolTable, LabelsAndFunctionsOfAKernelAreNamedAsByEachPerf) {
  const auto function = [](std::uint64_t start, std::uint64_t size, std::string_view name, Binding binding) {
    return Symbol{.start = start, .end = start + size, .name = name, .binding = binding};
  };
  const auto label = [](std::uint64_t start, std::string_view name, Binding binding = Binding::global) {
    return Symbol{.start = start, .end = start, .name = name, .binding = binding, .label = true};
  };
  const std::vector<Symbol> vmlinux = {function(0x000, 64, "start", Binding::local),
                                       function(0x040, 64, "func_a", Binding::local),
                                       function(0x080, 64, "func_b", Binding::local),
                                       label(0x100, "lab_three", Binding::local),
                                       label(0x1c0, "_etext"),
                                       label(0x040, "label_a"),
                                       label(0x000, "_text"),
                                       function(0x0c0, 64, "__memset", Binding::global),
                                       function(0x0c0, 64, "memset", Binding::global),
                                       function(0x140, 0, "nosize", Binding::global),
                                       function(0x0c0, 64, "__pi_memset", Binding::global),
                                       label(0x080, "label_b"),
                                       function(0x180, 64, "wfunc", Binding::weak),
                                       label(0x180, "glab"),
                                       label(0x100, "lab_two", Binding::weak),
                                       label(0x000, "_stext"),
                                       label(0x100, "lab_one"),
                                       label(0x140, "lab_n")};
  struct Printed {
    std::uint64_t address;
    std::string_view by_6_1, by_7_2;
  };
  for (const auto& [address, by_6_1, by_7_2] : {Printed{0x020, "_stext", "start"},
                                                {0x060, "label_a", "func_a"},
                                                {0x0a0, "label_b", "func_b"},
                                                {0x0e0, "memset", "memset"},
                                                {0x120, "lab_one", "lab_one"},
                                                {0x160, "lab_n", "lab_n"},
                                                {0x1a0, "glab", "wfunc"},
                                                {0x1e0, "_etext", "_etext"}}) {
    EXPECT_EQ(name_of(vmlinux, address, Aliases::perf_6_1), by_6_1);
    EXPECT_EQ(name_of(vmlinux, address, Aliases::newest_perf), by_7_2);
  }
}

void expect_ranges_to_hold(const std::vector<Symbol>& symbols, std::uint64_t size) {
  SymbolTable table;
  for (const Symbol& symbol : symbols) table.add(symbol);
  table.finish();
  for (std::uint64_t offset = 0; offset < size; ++offset) {
    const OffsetRange range = table.range_of(offset);
    EXPECT_LE(range.first, offset);
    EXPECT_LT(offset, range.end);
    for (std::uint64_t other = range.first; other < std::min(range.end, size); ++other) {
      EXPECT_EQ(table.find(other), table.find(offset)) << offset << " and " << other;
    }
  }
}

TEST(SymbolTable, OffsetsOfARangeHaveOneAnswer) {
  expect_ranges_to_hold({}, 4);
  expect_ranges_to_hold({{2, 5, "a"}, {5, 7, "b"}, {9, 9, "reaches to the next"}, {12, 13, "c"}}, 16);
  expect_ranges_to_hold({{2, 14, "outer"}, {4, 8, "inner"}, {6, 7, "innermost"}, {10, 20, "beyond"}}, 24);
}

TEST(SymbolTable, ARangeIsASymbolOrAGap) {
  SymbolTable table;
  table.add({2, 5, "a"});
  table.add({9, 12, "b"});
  table.finish();
  EXPECT_EQ(table.range_of(3).first, 2u);
  EXPECT_EQ(table.range_of(3).end, 5u);
  EXPECT_EQ(table.range_of(7).first, 5u);
  EXPECT_EQ(table.range_of(7).end, 9u);
  EXPECT_EQ(table.range_of(0).first, 0u);
  EXPECT_EQ(table.range_of(50).end, ~std::uint64_t{0});
}

}  // namespace
}  // namespace perfsift::symbolize
