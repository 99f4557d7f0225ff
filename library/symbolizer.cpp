#include <utility>

#include "analysis/samples/frame_table.h"
#include "base/printable.h"
#include "library/symbolizer_state.h"
#include "library/translated.h"
#include "symbolize/cache/symbol_cache.h"
#include "symbolize/symbols/demangle.h"

namespace perfsift::v0 {
namespace detail {

const symbolize::ProgramNames& SymbolizerState::program(const std::string& path) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<symbolize::ProgramNames>& names = programs_[path];
  if (names == nullptr) names = std::make_unique<symbolize::ProgramNames>(path, options);
  return *names;
}

std::string_view SymbolizerState::keep(std::string text) {
  const std::lock_guard lock(mutex_);
  return *texts_.insert(std::move(text)).first;
}

symbolize::DemangleStyle demangle_style(Demangling demangling) {
  switch (demangling) {
    case Demangling::plain:
      break;
    case Demangling::full:
      return symbolize::DemangleStyle::full;
    case Demangling::raw:
      return symbolize::DemangleStyle::raw;
  }
  return symbolize::DemangleStyle::plain;
}

namespace {

symbolize::SymbolizeOptions internal_options(const SymbolizerOptions& options) {
  symbolize::SymbolizeOptions internal;
  internal.symfs = options.symfs;
  internal.debug_dirs = options.debug_dirs;
  internal.build_id_dir = options.build_id_dir;
  internal.vmlinux = options.vmlinux;
  internal.kallsyms = options.kallsyms;
  internal.force = options.any_owner;
  if (!options.cache_dir.empty()) {
    internal.cache = std::make_shared<symbolize::SymbolCache>(options.cache_dir, symbolize::SymbolCache::default_limit);
  }
  return internal;
}

Frame frame_of(const symbolize::SourceFrame& source, const std::string& file, std::uint64_t address,
               symbolize::DemangleStyle style, SymbolizerState& state) {
  Frame frame{.binary = state.keep(file), .line = source.place.line, .address = address};
  frame.kind = FrameKind::user;
  frame.named = !source.name.empty();
  const std::string name = source.mangled ? symbolize::demangle(source.name, style) : std::string(source.name);
  frame.function = state.keep(frame.named ? analysis::foldable(name) : analysis::unnamed_text(file, std::nullopt));
  frame.file = state.keep(printable(source.place.file));
  frame.inlined = source.inlined;
  return frame;
}

}  // namespace
}  // namespace detail

Symbolizer::Symbolizer() : Symbolizer(SymbolizerOptions()) {}
Symbolizer::Symbolizer(const SymbolizerOptions& options)
    : state_(detail::translated(
          [&] { return std::make_shared<detail::SymbolizerState>(detail::internal_options(options)); })) {}
Symbolizer::Symbolizer(const Symbolizer&) = default;
Symbolizer& Symbolizer::operator=(const Symbolizer&) = default;
Symbolizer::~Symbolizer() = default;

std::vector<Frame> Symbolizer::frames(const std::string& elf_file, std::uint64_t address, Demangling demangling) const {
  return detail::translated(elf_file, [&] {
    std::vector<symbolize::SourceFrame> sources;
    state_->program(elf_file).append_frames(address, sources);
    std::vector<Frame> frames;
    for (const symbolize::SourceFrame& source : sources) {
      frames.push_back(detail::frame_of(source, elf_file, address, detail::demangle_style(demangling), *state_));
    }
    return frames;
  });
}

std::vector<std::string> Symbolizer::warnings() const {
  return detail::translated([&] {
    std::vector<std::string> texts;
    for (const symbolize::FileWarning& warning : state_->symbolizer.warnings()) {
      texts.push_back(warning.path + ": " + warning.text);
    }
    return texts;
  });
}

}  // namespace perfsift::v0
