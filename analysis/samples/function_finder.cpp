#include "analysis/samples/function_finder.h"

#include "analysis/samples/address_context.h"
#include "analysis/samples/stack_namer.h"

namespace perfsift::analysis {

FunctionAt FunctionFinder::find(const reader::ThreadState& thread, std::uint64_t time, reader::CpuMode mode,
                                std::uint64_t address, bool return_address) {
  const std::uint32_t version = versions_ == nullptr || versions_->only_one() ? 0 : versions_->at(time);
  const CodeOwner owner{.maps = thread.maps, .kernel_maps = thread.kernel_maps, .code_version = version};
  const std::uint64_t context = address_context(owner, {.mode = mode}, return_address);
  if (known_.size() >= most_addresses) known_.clear();
  const auto [function, is_new] = known_.try_emplace({.ip = address, .context = context});
  if (is_new) function = look_up(thread, version, mode, address, return_address);
  return function;
}

FunctionAt FunctionFinder::look_up(const reader::ThreadState& thread, std::uint32_t version, reader::CpuMode mode,
                                   std::uint64_t address, bool return_address) const {
  const CodeAddress at = timeline_.resolve(thread, mode, address, return_address);
  const FunctionAt unnamed{.number = at.binary};
  if (symbolizer_ == nullptr || at.binary == CodeAddress::no_binary) return unnamed;
  const symbolize::SymbolFile& file = symbolizer_->file(timeline_.binaries()[at.binary]);
  const std::uint64_t code_time = versions_ != nullptr ? versions_->time_in(version) : symbolize::SymbolFile::latest;
  const symbolize::Symbol* const symbol = file.find_at(at.lookup_offset(), code_time);
  if (symbol == nullptr) return unnamed;
  return {.number = reinterpret_cast<std::uintptr_t>(symbol), .named = true, .at_start = at.offset == symbol->start};
}

}  // namespace perfsift::analysis
