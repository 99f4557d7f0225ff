// The unwind tables of all binaries, each found and loaded once.
#pragma once

#include <memory>

#include "base/binary.h"
#include "symbolize/search/symbolize_options.h"
#include "symbolize/unwind/jit_unwind_tables.h"
#include "symbolize/unwind/unwind_table.h"

namespace perfsift::symbolize {

// Thread-safe. References it returns live as long as it does.
class UnwindTables {
 public:
  explicit UnwindTables(SymbolizeOptions options = {});
  ~UnwindTables();

  // The same table for the same binary. One that says nothing where there is no file, or none that can be used: no
  // unwinding is better than unwinding by the rules of another build.
  const UnwindTable& table(const Binary& binary);
  // The same of a BinaryKind::jit_dump, whose code has many tables.
  const JitUnwindTables& jit_tables(const Binary& binary);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace perfsift::symbolize
