#include "analysis/samples/frame_namer.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "base/copy_span.h"
#include "base/hash.h"

namespace perfsift::analysis {
namespace {

using symbolize::Missing;

bool is_jitted(BinaryKind kind) { return kind == BinaryKind::perf_map || kind == BinaryKind::jit_dump; }

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
  return mix(reinterpret_cast<std::uintptr_t>(name.name), odd_1) ^ std::hash<std::string>()(name.mark);
}

std::size_t FrameNamer::Hash::operator()(std::uint32_t binary) const { return mix(binary ^ odd_1, odd_2); }

FrameNamer::Named FrameNamer::name(const reader::ThreadState& state, const Address& address) {
  const CodeAddress at = timeline_.resolve(state, address.mode, address.ip, address.return_address);
  if (at.binary == CodeAddress::no_binary) {
    const bool guest = address.mode == reader::CpuMode::guest_kernel || address.mode == reader::CpuMode::guest_user;
    return unnamed_frame(at, guest ? Missing::guest : Missing::no_mapping, mark_of(at.binary, address.note));
  }
  const NameKey place{.at = at, .note = address.note, .code_time = address.code_time};
  if (const auto known = named_.find(place)) return *known;
  return named_.insert(place, name(at, address.code_time, mark_of(at.binary, address.note)));
}

FrameNamer::Named FrameNamer::name(const CodeAddress& address, std::uint64_t code_time, const std::string& mark) {
  const symbolize::SymbolFile& file = file_of(address.binary);
  const std::uint64_t offset = address.lookup_offset();
  const symbolize::Symbol* symbol = file.find_at(offset, code_time);
  std::vector<symbolize::SourceFrame> source;
  if (style_.inlines) file.append_source_frames(offset, source);

  FrameId outermost = 0;
  if (symbol != nullptr) {
    outermost = named_frame(symbol->name, file.mangled(), mark);
  } else if (!source.empty() && !source.back().name.empty()) {
    outermost = named_frame(source.back().name, source.back().mangled, mark);
  } else {
    return unnamed_frame(address, file.why_missing(), mark);
  }
  if (source.size() < 2) return {.frame = outermost};
  return inlined_frames(std::span(source).first(source.size() - 1), outermost, mark);
}

FrameNamer::Named FrameNamer::inlined_frames(std::span<const symbolize::SourceFrame> frames, FrameId outermost,
                                             const std::string& mark) {
  const std::string inlined = style_.annotate_inline ? "_[i]" + mark : mark;
  std::vector<FrameId> ids;
  for (const symbolize::SourceFrame& frame : frames) {
    ids.push_back(frame.name.empty() ? frames_.intern("[unknown]" + inlined)
                                     : named_frame(frame.name, frame.mangled, inlined));
  }
  ids.push_back(outermost);

  const std::lock_guard lock(mutex_);
  groups_.push_back(copy_span(std::span<const FrameId>(ids), group_memory_));
  return {.frame = Named::groups + static_cast<std::uint32_t>(groups_.size() - 1)};
}

const symbolize::SymbolFile& FrameNamer::file_of(std::uint32_t binary) {
  if (const auto known = files_.find(binary)) return **known;
  // Loading takes long, so no lock is held here; threads that need the same file wait in the symbolizer.
  return *files_.insert(binary, &symbolizer_.file(timeline_.binaries()[binary]));
}

FrameId FrameNamer::named_frame(std::string_view name, bool mangled, const std::string& mark) {
  const MarkedName key{.name = name.data(), .mark = mark};
  if (const auto known = names_.find(key)) return *known;
  const std::string text = foldable(mangled ? symbolize::demangle(name, style_.demangling) : std::string(name));
  return names_.insert(key, frames_.intern(text + mark));
}

FrameNamer::Named FrameNamer::unnamed_frame(const CodeAddress& address, Missing reason, const std::string& mark) {
  const bool mapped = address.binary != CodeAddress::no_binary;
  const std::string_view path = mapped ? std::string_view(timeline_.binaries()[address.binary].path) : "unknown";
  const auto offset = style_.addresses ? std::optional(address.offset) : std::nullopt;
  const FrameId frame = frames_.intern(foldable(unnamed_text(path, offset)) + mark);

  const UnnamedCode place{.binary = address.binary, .reason = reason};
  const std::lock_guard lock(mutex_);
  auto known = std::find(unnamed_.begin() + 1, unnamed_.end(), place);
  if (known == unnamed_.end()) known = unnamed_.insert(known, place);
  return {.frame = frame, .unnamed = static_cast<std::uint32_t>(known - unnamed_.begin())};
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
