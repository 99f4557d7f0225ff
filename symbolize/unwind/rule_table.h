// Compiled CFI: for every address, the rule that gives the caller's registers.
//
//   rows      |0x1000|0x1001|0x1004|0x1020|…      sorted by address, 8 bytes each
//                 0      1      2     none
//   rules     |CFA = rsp+8 |CFA = rsp+16|CFA = rbp+16|…      each kind of frame once, 16 bytes each
//                ra           ra rbp       ra rbp
//   registers |rip at CFA-8|rbp at CFA-16|…                  8 bytes each
//
// A table has only numbers and indices: it can be written to a file and mapped again, see cached_rules.h.
#pragma once

#include <cstdint>
#include <vector>

#include "base/byte_reader.h"
#include "symbolize/cache/flat_array.h"

namespace perfsift::symbolize {

// The place of the caller's value of a register.
enum class Recovery : std::uint8_t {
  at_cfa_plus,    // in memory at CFA + value
  cfa_plus,       // it is CFA + value
  in_register,    // in another register, whose number is `value`
  at_expression,  // in memory where an expression says
  expression,     // it is what an expression says
  undefined,      // it is lost; of the return address: there is no caller
};

struct RegisterRule {
  std::uint8_t number = 0;  // DWARF's
  Recovery how = Recovery::undefined;
  std::uint16_t size = 0;  // of the expression
  std::int32_t value = 0;  // or where the expression starts in RuleTable::expressions

  bool operator==(const RegisterRule&) const = default;
};

// The rule of a frame. Registers without a rule keep their values; the stack pointer becomes the CFA.
struct FrameRule {
  static constexpr std::uint8_t cfa_is_expression = 0xff;
  static constexpr std::uint8_t signal_frame = 1;  // the caller was interrupted, it did not call
  static constexpr std::uint8_t outermost = 2;     // there is no caller
  static constexpr std::uint8_t plain = 4;         // CFA = register + offset; every register rule is at_cfa_plus
  static constexpr std::uint8_t impossible = 8;    // the CFI says nothing that can be followed

  std::int32_t cfa_offset = 0;       // or where the expression starts in RuleTable::expressions
  std::uint32_t first_register = 0;  // in RuleTable::registers
  std::uint16_t cfa_size = 0;        // of the expression
  std::uint8_t cfa_register = 0;
  std::uint8_t register_count = 0;
  std::uint8_t return_register = 0;  // the column of the return address
  std::uint8_t flags = 0;
  std::uint16_t unused = 0;

  bool is(std::uint8_t flag) const { return (flags & flag) != 0; }
  bool operator==(const FrameRule&) const = default;
};
static_assert(sizeof(RegisterRule) == 8 && sizeof(FrameRule) == 16);

// The rule from an address up to the next row.
struct RuleRow {
  std::uint32_t start = 0;  // in bytes from the table's base
  std::uint32_t rule = ~std::uint32_t{0};
};

// Immutable, so thread-safe.
struct RuleTable {
  static constexpr std::uint32_t no_rule = ~std::uint32_t{0};
  using Row = RuleRow;

  FlatArray<Row> rows;
  FlatArray<FrameRule> rules;
  FlatArray<RegisterRule> registers;
  FlatArray<std::byte> expressions;

  // The rule at `address` bytes from the base, or nullptr.
  const FrameRule* find(std::uint32_t address) const;
  Bytes expression(std::int32_t start, std::uint16_t size) const {
    return expressions.all().subspan(static_cast<std::uint32_t>(start), size);
  }
  // Whether the table is valid. For a table from a file that other users may write.
  bool is_sound() const;

  template <typename Self, typename Visit>
  static void visit_arrays(Self& self, Visit&& visit) {
    visit(self.rows);
    visit(self.rules);
    visit(self.registers);
    visit(self.expressions);
  }
};

}  // namespace perfsift::symbolize
