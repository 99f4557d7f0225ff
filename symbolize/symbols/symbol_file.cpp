#include "symbolize/symbols/symbol_file.h"

#include <algorithm>
#include <iterator>

#include "symbolize/dwarf/lazy_debug_info.h"

namespace perfsift::symbolize {

const Symbol* SymbolFile::find_at(std::uint64_t offset, std::uint64_t /*time*/) const {
  return stretch_at(offset).symbol;
}

SymbolFile::Stretch SymbolFile::stretch_at(std::uint64_t offset) const {
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
  if (debug_info_) debug_info_->append_frames(offset, frames);
}

std::optional<SourceVariable> SymbolFile::find_variable(std::uint64_t offset) const {
  return debug_info_ ? debug_info_->find_variable(offset) : std::nullopt;
}

}  // namespace perfsift::symbolize
