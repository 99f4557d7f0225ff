// The unwind tables of all binaries, each found and loaded once.
#pragma once

#include <memory>

#include "base/binary.h"
#include "symbolize/search/symbolize_options.h"
#include "symbolize/unwind/jit_unwind_tables.h"
#include "symbolize/unwind/unwind_table.h"

namespace perfsift::symbolize {

// Thread-safe. References live as long as the object.
class UnwindTables {
 public:
  explicit UnwindTables(SymbolizeOptions options = {});
  ~UnwindTables();

  // Each binary has one table. A binary without a usable file has a table without rules: no unwinding is
  // better than unwinding by the rules of another build.
  const UnwindTable& table(const Binary& binary);
  // The tables of a BinaryKind::jit_dump, whose code has many.
  const JitUnwindTables& jit_tables(const Binary& binary);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace perfsift::symbolize
