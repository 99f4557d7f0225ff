// Unwinding through code made at run time, by the CFI of its jitdump.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "symbolize/jit/code_history.h"
#include "symbolize/jit/jit_dump.h"
#include "symbolize/unwind/architecture.h"
#include "symbolize/unwind/unwind_table.h"

namespace perfsift::symbolize {

// Each piece of code has a table of its own, as if it were a small file. Addresses are addresses of the process.
// Thread-safe. The tables live as long as the object.
class JitUnwindTables {
 public:
  JitUnwindTables() = default;  // of a dump that is not here
  // `storage`: the memory that the dump points into.
  JitUnwindTables(JitDump dump, std::shared_ptr<const void> storage);

  // The table of the code at `address` at `time` (see JitSymbols); nullptr if there was none. The table may have code
  // and no CFI. `running`: the architecture of the recording, which counts for a dump that names no machine
  // (CPython's).
  const UnwindTable* find(std::uint64_t address, std::uint64_t time, Architecture running) const;

 private:
  std::optional<Architecture> architecture(Architecture running) const;

  // Dumps have thousands of pieces; a recording needs tables of a few.
  struct Table {
    std::once_flag looked_for;
    std::unique_ptr<const UnwindTable> table;
  };

  JitDump dump_;
  CodeHistory history_;
  std::shared_ptr<const void> storage_;
  mutable std::vector<Table> tables_;  // by piece
};

// The tables of the dump at binary.path: see load_jit_dump().
std::unique_ptr<JitUnwindTables> load_jit_unwind_tables(const Binary& binary, const SymbolizeOptions& options);

}  // namespace perfsift::symbolize
