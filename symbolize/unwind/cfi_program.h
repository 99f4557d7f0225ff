// The instructions of CFI: the changes of registers within a function, step by step.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "symbolize/unwind/architecture.h"
#include "symbolize/unwind/cfi_section.h"
#include "symbolize/unwind/rule_table.h"

namespace perfsift::symbolize {

// The places of the caller's registers at one address of a function. Expressions still lie in the section.
struct FrameState {
  struct Rule {
    Recovery how = Recovery::undefined;
    std::int64_t value = 0;
    Bytes expression;
  };

  std::uint64_t cfa_register = 0;
  std::int64_t cfa_offset = 0;
  bool has_cfa_expression = false;
  Bytes cfa_expression;
  std::uint64_t ruled = 0;  // bit n: register n has a rule; without one it keeps its value
  std::array<Rule, max_registers> registers;
};

// Runs the program of an FDE after that of its CIE and calls row(start, end, state) for every stretch of addresses, in
// ascending order and without gaps. False if an instruction cannot be followed: there are no rows from there on.
// Rules of registers that `architecture` does not keep are left out.
using RowCallback = std::function<void(std::uint64_t start, std::uint64_t end, const FrameState&)>;
bool run_cfi_program(const Fde& fde, const CfiSection& section, const ArchitectureFacts& architecture,
                     const RowCallback& row);

}  // namespace perfsift::symbolize
