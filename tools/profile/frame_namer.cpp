#include "tools/profile/frame_namer.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace perfsift::tools {
namespace {

using symbolize::Missing;

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool is_kernel(BinaryKind kind) {
  return kind == BinaryKind::kernel || kind == BinaryKind::kernel_module || kind == BinaryKind::kernel_symbol;
}

bool is_jitted(BinaryKind kind) { return kind == BinaryKind::perf_map || kind == BinaryKind::jit_dump; }

// A name that is shown in brackets already, like [vdso], does not get another pair.
std::string bracketed(std::string_view name, std::optional<std::uint64_t> offset) {
  if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
  return offset ? fmt::format("[{}+{:#x}]", name, *offset) : fmt::format("[{}]", name);
}

}  // namespace

FrameNamer::FrameNamer(const reader::Timeline& timeline, symbolize::Symbolizer& symbolizer, FrameTable& frames,
                       FrameStyle style)
    : timeline_(timeline), symbolizer_(symbolizer), frames_(frames), style_(style) {}

FrameNamer::Named FrameNamer::name(const reader::ThreadState& state, reader::CpuMode mode, std::uint64_t ip,
                                   bool return_address, std::uint64_t code_time) {
  const CodeAddress address = timeline_.resolve(state, mode, ip, return_address);
  if (address.binary == CodeAddress::no_binary) {
    const bool guest = mode == reader::CpuMode::guest_kernel || mode == reader::CpuMode::guest_user;
    return unnamed_frame(address, guest ? Missing::guest : Missing::no_mapping);
  }
  const symbolize::SymbolFile& file = file_of(address.binary);
  const symbolize::Symbol* symbol = file.find_at(address.lookup_offset(), code_time);
  if (symbol == nullptr) return unnamed_frame(address, file.why_missing());
  return {.frame = named_frame(*symbol, file, timeline_.binaries()[address.binary].kind)};
}

const symbolize::SymbolFile& FrameNamer::file_of(std::uint32_t binary) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = files_.find(binary); found != files_.end()) return *found->second;
  }
  // Loading takes long, so others may go on meanwhile; who asks for the same file waits in the symbolizer.
  const symbolize::SymbolFile& file = symbolizer_.file(timeline_.binaries()[binary]);
  const std::lock_guard lock(mutex_);
  files_.try_emplace(binary, &file);
  return file;
}

FrameId FrameNamer::named_frame(const symbolize::Symbol& symbol, const symbolize::SymbolFile& file, BinaryKind kind) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = named_.find(&symbol); found != named_.end()) return found->second;
  }
  std::string text =
      foldable(file.mangled() ? symbolize::demangle(symbol.name, style_.demangling) : std::string(symbol.name));
  if (style_.annotate_kernel && is_kernel(kind)) text += "_[k]";
  if (style_.annotate_jit && is_jitted(kind)) text += "_[j]";
  const FrameId frame = frames_.intern(text);
  const std::lock_guard lock(mutex_);
  named_.try_emplace(&symbol, frame);
  return frame;
}

FrameNamer::Named FrameNamer::unnamed_frame(const CodeAddress& address, Missing reason) {
  const bool mapped = address.binary != CodeAddress::no_binary;
  const std::string_view path = mapped ? std::string_view(timeline_.binaries()[address.binary].path) : "unknown";
  const auto offset = style_.addresses ? std::optional(address.offset) : std::nullopt;
  std::string text = foldable(bracketed(base_name(path), offset));
  if (style_.annotate_kernel && mapped && is_kernel(timeline_.binaries()[address.binary].kind)) text += "_[k]";
  const FrameId frame = frames_.intern(text);

  const UnnamedPlace place{.binary = address.binary, .reason = reason};
  const std::lock_guard lock(mutex_);
  auto known = std::find(unnamed_.begin() + 1, unnamed_.end(), place);
  if (known == unnamed_.end()) known = unnamed_.insert(known, place);
  return {.frame = frame, .unnamed = static_cast<std::uint32_t>(known - unnamed_.begin())};
}

}  // namespace perfsift::tools
