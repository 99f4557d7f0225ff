#include "analysis/samples/function_finder.h"

namespace perfsift::analysis {

LeafPlace FunctionFinder::place_of(const FirstFrames& frames, const reader::ThreadState& thread, std::uint64_t time) {
  const Code code = code_at(thread, time);
  return leaf_place(frames, [&](reader::CpuMode mode, std::uint64_t address, bool return_address) {
    return find(code, mode, address, return_address);
  });
}

FunctionFinder::Range& FunctionFinder::look_up_range(const Code& code, reader::CpuMode mode, std::uint64_t ip) {
  if (++looked_up_ > ranges_of_lines_.size() && ranges_of_lines_.size() < most_lines) {
    ranges_of_lines_.assign(ranges_of_lines_.size() * 4, {});
    looked_up_ = 0;
  }
  Range& range = range_of_line(context_of(code, mode, false), ip);
  range = range_at(code, mode, ip);
  return range;
}

// Empty where no file has the code, and for code made at run time, whose symbols change.
FunctionFinder::Range FunctionFinder::range_at(const Code& code, reader::CpuMode mode, std::uint64_t ip) {
  const CodeAddress at = timeline_.resolve(code.thread, mode, ip, false);
  if (symbolizer_ == nullptr || at.binary == CodeAddress::no_binary) return {};
  const symbolize::SymbolFile& file = file_of(at.binary);
  if (!file.changes().empty()) return {};
  const symbolize::OffsetRange range = file.range_of(at.offset);
  return {.context = context_of(code, mode, false),
          .begin = ip - (at.offset - range.first),
          .size = range.end - range.first,
          .named = file.find(at.offset) != nullptr};
}

const symbolize::SymbolFile& FunctionFinder::file_of(std::uint32_t binary) {
  if (binary >= files_.size()) files_.resize(timeline_.binaries().size());
  if (files_[binary] == nullptr) files_[binary] = &symbolizer_->file(timeline_.binaries()[binary]);
  return *files_[binary];
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
  const std::uint64_t code_time =
      versions_ != nullptr ? versions_->time_in(code.version) : symbolize::SymbolFile::latest;
  const symbolize::Symbol* const symbol = file_of(at.binary).find_at(at.lookup_offset(), code_time);
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
