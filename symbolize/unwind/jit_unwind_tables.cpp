#include "symbolize/unwind/jit_unwind_tables.h"

#include <utility>

#include <elf.h>

namespace perfsift::symbolize {

namespace {

// The CFI of a piece of code where perf inject places it (jit_write_elf() in tools/perf/util/genelf.c): so
// pointers in it are relative to their surroundings, and stay right if the code is moved.
CfiSection cfi_of(const JitCode& code, Architecture architecture) {
  return {.bytes = code.unwinding.eh_frame,
          .address = code.eh_frame_address(),
          .text_address = code.start,
          .data_address = code.eh_frame_address() + code.unwinding.eh_frame.size(),
          .address_size = facts_of(architecture).word};
}

}  // namespace

JitUnwindTables::JitUnwindTables(JitDump dump, std::shared_ptr<const void> storage)
    : dump_(std::move(dump)), history_(history_of(dump_)), storage_(std::move(storage)), tables_(dump_.codes.size()) {}

std::optional<Architecture> JitUnwindTables::architecture(Architecture running) const {
  if (dump_.order != ByteOrder::native) return std::nullopt;
  return dump_.machine == EM_NONE ? running : architecture_of_elf(dump_.machine);
}

const UnwindTable* JitUnwindTables::find(std::uint64_t address, std::uint64_t time, Architecture running) const {
  const auto made_for = architecture(running);
  const auto index = made_for ? history_.find(address, time) : std::nullopt;
  if (!index) return nullptr;
  const JitCode& code = dump_.codes[*index];
  Table& entry = tables_[*index];
  std::call_once(entry.looked_for, [&] {
    entry.table = std::make_unique<const UnwindTable>(code.bytes, code.start, cfi_of(code, *made_for), *made_for);
  });
  return entry.table.get();
}

std::unique_ptr<JitUnwindTables> load_jit_unwind_tables(const Binary& binary, const SymbolizeOptions& options) {
  auto opened = open_jit_dump(find_jit_dump(binary, options));
  if (!opened) return std::make_unique<JitUnwindTables>();
  return std::make_unique<JitUnwindTables>(std::move(opened->dump), std::move(opened->file));
}

}  // namespace perfsift::symbolize
