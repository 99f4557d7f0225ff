// A jitdump: its records, and lookups in them.
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "symbolize/jit/jit_dump.h"

using namespace perfsift::symbolize;

namespace {

// Reads all bytes: bytes outside of the input are a find.
std::size_t sum(perfsift::Bytes bytes) {
  std::size_t total = 0;
  for (const std::byte byte : bytes) total += static_cast<std::size_t>(byte);
  return total;
}
std::size_t sum(std::string_view text) { return sum(std::as_bytes(std::span(text))); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto dump = parse_jit_dump(std::as_bytes(std::span(data, size)));
  if (!dump) return 0;
  std::size_t total = 0;
  const auto codes = dump->codes;
  const JitSymbols symbols(std::move(*dump), nullptr, nullptr);
  for (const JitCode& code : codes) {
    total += sum(code.name) + sum(code.bytes) + sum(code.unwinding.eh_frame) + sum(code.unwinding.eh_frame_hdr);
    for (const std::uint64_t address : {code.start, code.end() - 1, code.end()}) {
      const Symbol* symbol = symbols.find_at(address, code.since);
      const JitCode* found = symbols.code_at(address, code.since);
      if ((symbol == nullptr) != (found == nullptr)) __builtin_trap();
      if (found != nullptr && (address < found->start || address >= found->end())) __builtin_trap();
      if (const JitLine* line = symbols.line_at(address, code.since)) total += sum(line->file);
    }
  }
  return total == ~std::size_t{0} ? 1 : 0;
}
