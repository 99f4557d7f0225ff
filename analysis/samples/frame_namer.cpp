#include "analysis/samples/frame_namer.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "analysis/samples/frameless.h"
#include "analysis/samples/stack_options.h"
#include "base/copy_span.h"
#include "base/hash.h"

namespace perfsift::analysis {
namespace {

using symbolize::Missing;

bool is_jitted(BinaryKind kind) { return kind == BinaryKind::perf_map || kind == BinaryKind::jit_dump; }

FrameKind kind_of(BinaryKind kind) {
  if (is_kernel(kind)) return FrameKind::kernel;
  return is_jitted(kind) ? FrameKind::jit : FrameKind::user;
}

}  // namespace

FrameNamer::FrameNamer(const reader::Timeline& timeline, symbolize::Symbolizer& symbolizer, FrameTable& frames,
                       FrameStyle style)
    : timeline_(timeline), symbolizer_(symbolizer), frames_(frames), style_(style) {}

std::size_t FrameNamer::Hash::operator()(const NameKey& place) const {
  const std::uint64_t binary =
      std::uint64_t{place.at.binary} << 1 | static_cast<std::uint64_t>(place.at.return_address);
  return mix(mix(place.at.offset ^ odd_1, binary ^ odd_2) ^ place.note, place.code_time ^ odd_3);
}

std::size_t FrameNamer::Hash::operator()(const MarkedName& name) const {
  const FrameOrigin& origin = name.origin;
  const std::uint64_t place = std::uint64_t{origin.file} << 32 | origin.line;
  return mix(reinterpret_cast<std::uintptr_t>(name.name) ^ place, origin.address ^ odd_1) ^
         std::hash<std::string>()(name.mark);
}

std::size_t FrameNamer::Hash::operator()(std::uint32_t binary) const { return mix(binary ^ odd_1, odd_2); }

std::size_t FrameNamer::Hash::operator()(const symbolize::Symbol* symbol) const {
  return mix(reinterpret_cast<std::uintptr_t>(symbol), odd_1);
}

FrameNamer::Named FrameNamer::name(const reader::ThreadState& state, const Address& address) {
  const CodeAddress at = timeline_.resolve(state, address.mode, address.ip, address.return_address);
  if (at.binary == CodeAddress::no_binary) {
    const bool guest = address.mode == reader::CpuMode::guest_kernel || address.mode == reader::CpuMode::guest_user;
    return unnamed_frame(at, address.mode, guest ? Missing::guest : Missing::no_mapping,
                         mark_of(at.binary, address.note));
  }
  const NameKey place{.at = at, .note = address.note, .code_time = address.code_time};
  if (const auto known = named_.find(place)) return *known;
  if (!lacks_caller(at, address.note))
    return named_.insert(place, name(at, address.code_time, mark_of(at.binary, address.note)));

  const std::string mark = mark_of(at.binary, address.note) + (style_.annotate_leaf ? "_[l]" : "");
  Named named = name(at, address.code_time, mark);
  CodeRemark remark = remark_at(named.remark);
  remark.frameless = named.is_group() ? group(named.frame).back() : named.frame;
  named.remark = remark_number(remark);
  return named_.insert(place, named);
}

bool FrameNamer::lacks_caller(const CodeAddress& at, std::uint64_t note) const {
  if (note != reader::callchain_note::before_frame_pointers || at.return_address) return false;
  return is_frameless(at, timeline_.binaries()[at.binary], symbolizer_);
}

FrameNamer::Named FrameNamer::name(const CodeAddress& address, std::uint64_t code_time, const std::string& mark) {
  const symbolize::SymbolFile& file = file_of(address.binary);
  const std::uint64_t offset = address.lookup_offset();
  const symbolize::Symbol* symbol = file.find_at(offset, code_time);
  const std::vector<symbolize::SourceFrame> source = source_frames(file, offset, code_time);
  const bool named_by_source = !source.empty() && !source.back().name.empty();
  if (symbol == nullptr && !named_by_source) {
    return unnamed_frame(address, reader::CpuMode::unknown, file.why_missing(), mark);
  }

  const FrameOrigin origin = origin_of(address, reader::CpuMode::unknown);
  FrameOrigin function = origin;
  Place place;
  if (style_.detail == FrameDetail::function && style_.starts && symbol != nullptr) place = start_of(file, *symbol);
  if (style_.detail >= FrameDetail::line && !source.empty()) place = place_of(source.back().place);
  function.file = place.file;
  function.line = place.line;
  const FrameId outermost = symbol != nullptr ? named_frame(symbol->name, file.mangled(), function, mark)
                                              : named_frame(source.back().name, source.back().mangled, function, mark);
  Named named{.frame = outermost};
  if (source.size() >= 2) named = inlined_frames(std::span(source).first(source.size() - 1), outermost, origin, mark);
  if (style_.kernel_entries) named.entry = static_cast<std::uint32_t>(entry_of(address, symbol)) & 0xf;
  return named;
}

filter::KernelEntry FrameNamer::entry_of(const CodeAddress& address, const symbolize::Symbol* symbol) const {
  const bool kernel = symbol != nullptr && is_kernel(timeline_.binaries()[address.binary].kind);
  return kernel ? filter::kernel_entry(symbol->name) : filter::KernelEntry::none;
}

std::vector<symbolize::SourceFrame> FrameNamer::source_frames(const symbolize::SymbolFile& file, std::uint64_t offset,
                                                              std::uint64_t code_time) const {
  std::vector<symbolize::SourceFrame> frames;
  if (!style_.inlines && style_.detail < FrameDetail::line) return frames;
  file.append_source_frames_at(offset, code_time, frames);
  if (style_.inlines || frames.size() < 2) return frames;
  frames.back().place = frames.front().place;
  return {frames.back()};
}

FrameNamer::Named FrameNamer::inlined_frames(std::span<const symbolize::SourceFrame> frames, FrameId outermost,
                                             const FrameOrigin& origin, const std::string& mark) {
  const std::string inlined_mark = style_.annotate_inline ? "_[i]" + mark : mark;
  FrameOrigin inlined = origin;
  inlined.inlined = style_.detail != FrameDetail::text;
  std::vector<FrameId> ids;
  for (const symbolize::SourceFrame& frame : frames) {
    const Place place = style_.detail != FrameDetail::text ? place_of(frame.place) : Place();
    inlined.file = place.file;
    // The beginning of an inlined function is not known.
    inlined.line = style_.detail >= FrameDetail::line ? place.line : 0;
    ids.push_back(frame.name.empty() ? frames_.intern("[unknown]" + inlined_mark, inlined)
                                     : named_frame(frame.name, frame.mangled, inlined, inlined_mark));
  }
  ids.push_back(outermost);

  const std::lock_guard lock(mutex_);
  groups_.push_back(copy_span(std::span<const FrameId>(ids), group_memory_));
  return {.frame = Named::groups + static_cast<std::uint32_t>(groups_.size() - 1)};
}

FrameOrigin FrameNamer::origin_of(const CodeAddress& address, reader::CpuMode mode) {
  FrameOrigin origin;
  if (style_.detail == FrameDetail::text) return origin;
  if (address.binary == CodeAddress::no_binary) {
    origin.kind = is_kernel_mode(mode) ? FrameKind::kernel : FrameKind::user;
  } else {
    const Binary& binary = timeline_.binaries()[address.binary];
    origin.kind = kind_of(binary.kind);
    origin.binary = number_of(address.binary);
  }
  if (style_.detail == FrameDetail::address) origin.address = address.lookup_offset();
  return origin;
}

std::uint32_t FrameNamer::number_of(std::uint32_t binary) {
  if (const auto known = binary_numbers_.find(binary)) return *known;
  const Binary& recorded = timeline_.binaries()[binary];
  return binary_numbers_.insert(binary, frames_.binary({.path = reported_binary_name(recorded),
                                                        .build_id = recorded.build_id,
                                                        .recorded = std::make_shared<const Binary>(recorded)}));
}

FrameNamer::Place FrameNamer::place_of(const symbolize::SourcePlace& place) {
  if (place.file.empty()) return {};
  return {.file = frames_.file(place.file), .line = place.line};
}

FrameNamer::Place FrameNamer::start_of(const symbolize::SymbolFile& file, const symbolize::Symbol& function) {
  if (const auto known = starts_.find(&function)) return *known;
  std::vector<symbolize::SourceFrame> frames;
  file.append_source_frames(function.start, frames);
  return starts_.insert(&function, frames.empty() ? Place() : place_of(frames.back().place));
}

const symbolize::SymbolFile& FrameNamer::file_of(std::uint32_t binary) {
  if (const auto known = files_.find(binary)) return **known;
  // Loading takes long, so no lock is held here; threads that need the same file wait in the symbolizer.
  return *files_.insert(binary, &symbolizer_.file(timeline_.binaries()[binary]));
}

FrameId FrameNamer::named_frame(std::string_view name, bool mangled, const FrameOrigin& origin,
                                const std::string& mark) {
  const MarkedName key{.name = name.data(), .mark = mark, .origin = origin};
  if (const auto known = names_.find(key)) return *known;
  const std::string text = foldable(mangled ? symbolize::demangle(name, style_.demangling) : std::string(name));
  return names_.insert(key, frames_.intern(text + mark, origin));
}

FrameNamer::Named FrameNamer::unnamed_frame(const CodeAddress& address, reader::CpuMode mode, Missing reason,
                                            const std::string& mark) {
  const bool mapped = address.binary != CodeAddress::no_binary;
  const std::string_view path = mapped ? std::string_view(timeline_.binaries()[address.binary].path) : "unknown";
  const auto offset = style_.addresses ? std::optional(address.offset) : std::nullopt;
  FrameOrigin origin = origin_of(address, mode);
  origin.unnamed = style_.detail != FrameDetail::text;
  const FrameId frame = frames_.intern(foldable(unnamed_text(path, offset)) + mark, origin);

  return {.frame = frame, .remark = remark_number({.reason = reason, .binary = address.binary})};
}

CodeRemark FrameNamer::remark_at(std::uint32_t number) {
  const std::lock_guard lock(mutex_);
  return remarks_[number];
}

std::uint32_t FrameNamer::remark_number(const CodeRemark& remark) {
  const std::lock_guard lock(mutex_);
  constexpr std::uint32_t bits = (std::uint32_t{1} << 28) - 1;  // of Named::remark
  const auto [known, is_new] = remark_numbers_.try_emplace(remark, static_cast<std::uint32_t>(remarks_.size()) & bits);
  if (is_new) remarks_.push_back(remark);
  return known->second;
}

std::string FrameNamer::mark_of(std::uint32_t binary, std::uint64_t note) const {
  std::string mark;
  if (binary != CodeAddress::no_binary) {
    const BinaryKind kind = timeline_.binaries()[binary].kind;
    if (style_.annotate_kernel && is_kernel(kind)) mark += "_[k]";
    if (style_.annotate_jit && is_jitted(kind)) mark += "_[j]";
  }
  if (style_.annotate_guess && note == reader::callchain_note::guessed) mark += "_[g]";
  if (note == reader::callchain_note::repaired) mark += "_[r]";
  return mark;
}

}  // namespace perfsift::analysis
