#include "symbolize/symbols/symbol_file.h"

#include <algorithm>
#include <iterator>

#include "symbolize/dwarf/lazy_debug_info.h"
#include "symbolize/elf/elf_file.h"
#include "symbolize/symbols/packed_names.h"

namespace perfsift::symbolize {

const Symbol* SymbolFile::find_at(std::uint64_t offset, std::uint64_t /*time*/) const {
  return stretch_at(offset).symbol;
}

SymbolFile::Stretch SymbolFile::stretch_at(std::uint64_t offset) const {
  if (asked_) asked_->add(offset);
  constexpr std::uint64_t last = ~std::uint64_t{0};
  if (!cover_.empty()) {
    const auto after = std::ranges::upper_bound(cover_, offset, {}, &Cover::start);
    const std::uint64_t end = after == cover_.end() ? last : after->start;
    if (after == cover_.begin()) return {.range = {.first = 0, .end = end}};
    const Cover& here = *std::prev(after);
    return {.symbol = here.symbol == Cover::nothing ? nullptr : &symbols_[here.symbol],
            .range = {.first = here.start, .end = end}};
  }
  const auto after = std::ranges::upper_bound(symbols_, offset, {}, &Symbol::start);
  const std::uint64_t end = after == symbols_.end() ? last : after->start;
  if (after == symbols_.begin()) return {.range = {.first = 0, .end = end}};
  const Symbol& before = *std::prev(after);
  if (offset >= before.reach()) return {.range = {.first = before.reach(), .end = end}};
  return {.symbol = &before, .range = {.first = before.start, .end = std::min(end, before.reach())}};
}

void SymbolFile::append_source_frames_at(std::uint64_t offset, std::uint64_t /*time*/,
                                         std::vector<SourceFrame>& frames) const {
  if (asked_) asked_->add(offset);
  if (debug_info_) debug_info_->append_frames(offset, frames);
}

// Thread-local variables without an initial value have addresses, too, but lie elsewhere.
std::string_view SymbolFile::section_at(std::uint64_t offset) const {
  const auto address = program_ != nullptr ? program_->data_address(offset) : std::nullopt;
  if (!address) return {};
  for (const ElfFile::Section& section : program_->sections()) {
    const GElf_Shdr& header = section.header;
    const bool is_mapped = (header.sh_flags & SHF_ALLOC) != 0;
    const bool is_elsewhere = header.sh_type == SHT_NOBITS && (header.sh_flags & SHF_TLS) != 0;
    if (is_mapped && !is_elsewhere && *address >= header.sh_addr && *address - header.sh_addr < header.sh_size)
      return section.name;
  }
  return {};
}

std::optional<SourceVariable> SymbolFile::find_variable(std::uint64_t offset) const {
  return debug_info_ ? debug_info_->find_variable(offset) : std::nullopt;
}

}  // namespace perfsift::symbolize
