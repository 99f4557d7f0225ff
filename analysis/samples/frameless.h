// Finds where the caller of a stack's first frame may be missing.
//
// The kernel finds callers by the frame pointer. A function that has not set up a frame, as most functions of the C
// library and many leaf functions never do, leaves the frame pointer of its caller in the register, and the word beside
// that frame pointer is where the caller returns to. So the stack goes on with the caller's caller.
#pragma once

#include "base/binary.h"
#include "symbolize/symbolizer.h"
#include "symbolize/unwind/unwind_tables.h"

namespace perfsift::analysis {

// Whether the unwinding rules say that the function at `at`, an instruction of `binary`, has no frame there. False
// where no rules are known.
inline bool is_frameless(const CodeAddress& at, const Binary& binary, symbolize::Symbolizer& symbolizer) {
  if (binary.kind != BinaryKind::elf && binary.kind != BinaryKind::vdso) return false;
  const symbolize::UnwindTable& table = symbolizer.unwind_tables().table(binary);
  const auto address = table.address_of(at.offset);
  return address && table.is_frameless(*address);
}

}  // namespace perfsift::analysis
