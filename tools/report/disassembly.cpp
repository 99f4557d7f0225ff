#include "tools/report/disassembly.h"

#include <algorithm>

#include <elf.h>
#include <fmt/format.h>

#include "symbolize/files/missing.h"
#include "symbolize/search/debug_files.h"
#include "symbolize/search/vdso.h"
#include "symbolize/symbols/demangle.h"

namespace perfsift::tools {

Disassembly::Disassembly(const Binary& binary, const symbolize::SymbolFile& names,
                         const symbolize::SymbolizeOptions& options)
    : names_(names) {
  symbolize::Missing missing = symbolize::Missing::none;
  if (binary.kind == BinaryKind::vdso) {
    file_ = symbolize::find_vdso(binary, options, missing);
  } else {
    symbolize::FoundFiles found = symbolize::find_files(binary, options);
    file_ = std::move(found.runtime);
    missing = found.missing;
  }
  if (file_ == nullptr) {
    why_not_ = symbolize::describe(missing);
    return;
  }
  const std::uint16_t machine = file_->header().e_machine;
  decoder_ = decoder_of(machine);
  if (decoder_ != nullptr) return;
  why_not_ = machine == EM_AARCH64 ? why_no_aarch64_decoder() : "only code for x86 and aarch64 is disassembled";
  file_ = nullptr;
}

std::vector<Instruction> Disassembly::instructions(std::uint64_t from, std::uint64_t until) const {
  std::vector<Instruction> all;
  if (file_ == nullptr) return all;
  const Bytes image = file_->image();
  until = std::min<std::uint64_t>(until, image.size());
  for (std::uint64_t offset = from; offset < until;) {
    const Bytes code = image.subspan(offset, std::min<std::uint64_t>(decoder_->longest(), until - offset));
    auto decoded = decoder_->decode(code, address(offset));
    const std::uint64_t at = offset;
    offset += decoded ? decoded->length : 1;
    if (!decoded) continue;
    for (const Target& target : decoded->targets) decoded->text += text_of(target);
    all.push_back({.offset = at, .address = address(at), .length = decoded->length, .text = std::move(decoded->text)});
  }
  return all;
}

// " <f>" or " <f+0x10>", as objdump writes it.
std::string Disassembly::text_of(const Target& target) const {
  std::string text = target.shown ? "" : fmt::format("  # {:#x}", target.address);
  const auto offset = file_->file_offset(target.address);
  const symbolize::Symbol* const symbol = offset ? names_.find(*offset) : nullptr;
  if (symbol == nullptr) return text;
  const std::string name =
      names_.mangled() ? symbolize::demangle(symbol->name, symbolize::DemangleStyle::plain) : std::string(symbol->name);
  const std::uint64_t distance = *offset - symbol->start;
  return text + (distance != 0 ? fmt::format(" <{}+{:#x}>", name, distance) : fmt::format(" <{}>", name));
}

std::uint64_t Disassembly::address(std::uint64_t offset) const {
  return file_ != nullptr ? file_->address(offset).value_or(offset) : offset;
}

}  // namespace perfsift::tools
