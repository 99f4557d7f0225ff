// Unwinding through code that was made at run time, by what its jitdump tells.
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

// Each piece of code has a table of its own: to the unwinder it is like a small file. Addresses are those of the
// process. Thread-safe; the tables live as long as it does.
class JitUnwindTables {
 public:
  JitUnwindTables() = default;  // of a dump that is not here
  // `storage` holds what the dump points into.
  JitUnwindTables(JitDump dump, std::shared_ptr<const void> storage);

  // The table of the code at `address` at `time` (see JitSymbols); nullptr if there was none. The table may have code
  // and no CFI. `running`: the architecture of the recording, which counts for a dump that names no machine
  // (CPython's).
  const UnwindTable* find(std::uint64_t address, std::uint64_t time, Architecture running) const;

 private:
  std::optional<Architecture> architecture(Architecture running) const;

  // Dumps have thousands of pieces, of which a recording meets a few.
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
