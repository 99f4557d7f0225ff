#include "analysis/samples/function_finder.h"

#include "analysis/samples/address_context.h"
#include "analysis/samples/stack_namer.h"

namespace perfsift::analysis {

FunctionAt FunctionFinder::find(const reader::ThreadState& thread, std::uint64_t time, reader::CpuMode mode,
                                std::uint64_t address, bool return_address) {
  const std::uint32_t version = versions_ == nullptr || versions_->only_one() ? 0 : versions_->at(time);
  const CodeOwner owner{.maps = thread.maps, .kernel_maps = thread.kernel_maps, .code_version = version};
  const std::uint64_t context = address_context(owner, {.mode = mode}, return_address);
  if (known_addresses_ >= most_addresses) known_ = {}, known_addresses_ = 0;
  const FrameNamer::Named function =
      known_.of(context).find(address, [&] { return look_up(thread, version, mode, address, return_address); });
  return {.number = function.frame,
          .named = (function.remark & is_named) != 0,
          .at_start = (function.remark & is_at_start) != 0};
}

FrameNamer::Named FunctionFinder::look_up(const reader::ThreadState& thread, std::uint32_t version,
                                          reader::CpuMode mode, std::uint64_t address, bool return_address) {
  ++known_addresses_;
  const CodeAddress at = timeline_.resolve(thread, mode, address, return_address);
  const FrameNamer::Named unnamed{.frame = number_of(at.binary)};
  if (symbolizer_ == nullptr || at.binary == CodeAddress::no_binary) return unnamed;
  const symbolize::SymbolFile& file = symbolizer_->file(timeline_.binaries()[at.binary]);
  const std::uint64_t code_time = versions_ != nullptr ? versions_->time_in(version) : symbolize::SymbolFile::latest;
  const symbolize::Symbol* const symbol = file.find_at(at.lookup_offset(), code_time);
  if (symbol == nullptr) return unnamed;
  FrameNamer::Named named{.frame = number_of(reinterpret_cast<std::uintptr_t>(symbol))};
  named.remark = at.offset == symbol->start ? is_named | is_at_start : is_named;
  return named;
}

// The address of a symbol is no number of a binary.
std::uint32_t FunctionFinder::number_of(std::uint64_t function) {
  return numbers_.try_emplace(function, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

}  // namespace perfsift::analysis
