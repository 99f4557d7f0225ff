#include "symbolize/symbol_table.h"

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

// At the start of .bss, as the linker leaves it in every C program. perf 6.1 prints __TMC_END__.
const std::vector<Symbol> start_of_bss = {{0x70d0, 0x70d1, "completed.0", Binding::local},
                                          {0x70d0, 0x70d0, "__TMC_END__", Binding::global},
                                          {0x70d8, 0x70d8, "_end", Binding::global}};

TEST(SymbolTable, ASymbolThatKnowsItsSizeIsBetterThanALabel) {
  EXPECT_EQ(name_of(start_of_bss, 0x70d0, Aliases::best), "completed.0");
}

TEST(SymbolTable, ForPerfALabelHasASizeBeforeItIsCompared) {
  EXPECT_EQ(name_of(start_of_bss, 0x70d0, Aliases::as_perf), "__TMC_END__");
  EXPECT_EQ(name_of(start_of_bss, 0x70d7, Aliases::as_perf), "__TMC_END__");
}

TEST(SymbolTable, ForPerfTheLastOfSeveralLabelsIsTheOneWithASize) {
  const std::vector<Symbol> labels = {{0x100, 0x100, "global", Binding::global},
                                      {0x100, 0x100, "weak", Binding::weak},
                                      {0x200, 0x200, "next", Binding::global}};
  EXPECT_EQ(name_of(labels, 0x100, Aliases::best), "global");
  EXPECT_EQ(name_of(labels, 0x100, Aliases::as_perf), "weak");
}

}  // namespace
}  // namespace perfsift::symbolize
