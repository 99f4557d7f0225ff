#include "analysis/samples/function_finder.h"

#include "analysis/samples/address_context.h"
#include "analysis/samples/stack_namer.h"
#include "base/hash.h"

namespace perfsift::analysis {

LeafPlace FunctionFinder::place_of(const FirstFrames& frames, const reader::ThreadState& thread, std::uint64_t time) {
  const Code code{.thread = thread, .version = versions_ == nullptr || versions_->only_one() ? 0 : versions_->at(time)};
  if (are_in_one_function(code, frames)) return LeafPlace::in_place;
  return leaf_place(frames, [&](reader::CpuMode mode, std::uint64_t address, bool return_address) {
    return find(code, mode, address, return_address);
  });
}

// Nearly all samples answer with yes, for few distinct functions. An answer of no is not final.
bool FunctionFinder::are_in_one_function(const Code& code, const FirstFrames& frames) {
  constexpr unsigned bits_of_line = 6;
  const Line line{.context = context_of(code, frames.mode, false), .number = frames.ip >> bits_of_line};
  const std::uint64_t hash = mix(line.number ^ odd_1, line.context ^ odd_2);
  Range& range = ranges_.get(line, hash, [] { return Range(); });
  if (!range.has(frames.ip)) range = range_at(code, frames.mode, frames.ip);
  return range.has(frames.ip) && range.has(frames.first);
}

// Empty where there is no symbol. Code made at run time has symbols that change.
FunctionFinder::Range FunctionFinder::range_at(const Code& code, reader::CpuMode mode, std::uint64_t address) const {
  const CodeAddress at = timeline_.resolve(code.thread, mode, address, false);
  if (symbolizer_ == nullptr || at.binary == CodeAddress::no_binary) return {};
  const symbolize::SymbolFile& file = symbolizer_->file(timeline_.binaries()[at.binary]);
  if (!file.changes().empty() || file.find(at.offset) == nullptr) return {};
  const symbolize::OffsetRange range = file.range_of(at.offset);
  return {.begin = address - (at.offset - range.first), .size = range.end - range.first};
}

std::uint64_t FunctionFinder::context_of(const Code& code, reader::CpuMode mode, bool return_address) {
  const CodeOwner owner{.maps = code.thread.maps, .kernel_maps = code.thread.kernel_maps, .code_version = code.version};
  return address_context(owner, {.mode = mode}, return_address);
}

FunctionAt FunctionFinder::find(const Code& code, reader::CpuMode mode, std::uint64_t address, bool return_address) {
  if (known_addresses_ >= most_addresses) known_ = {}, known_addresses_ = 0;
  const FrameNamer::Named function = known_.of(context_of(code, mode, return_address)).find(address, [&] {
    return look_up(code, mode, address, return_address);
  });
  return {.number = function.frame,
          .named = (function.remark & is_named) != 0,
          .at_start = (function.remark & is_at_start) != 0};
}

FrameNamer::Named FunctionFinder::look_up(const Code& code, reader::CpuMode mode, std::uint64_t address,
                                          bool return_address) {
  ++known_addresses_;
  const CodeAddress at = timeline_.resolve(code.thread, mode, address, return_address);
  const FrameNamer::Named unnamed{.frame = number_of(at.binary)};
  if (symbolizer_ == nullptr || at.binary == CodeAddress::no_binary) return unnamed;
  const symbolize::SymbolFile& file = symbolizer_->file(timeline_.binaries()[at.binary]);
  const std::uint64_t code_time =
      versions_ != nullptr ? versions_->time_in(code.version) : symbolize::SymbolFile::latest;
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
