#include "library/naming.h"

#include <utility>

namespace perfsift::v0::detail {
namespace {

analysis::FrameStyle frame_style(const NamingStyle& style) {
  analysis::FrameStyle internal;
  internal.demangling = demangle_style(style.demangling);
  internal.inlines = style.inlines;
  internal.detail = style.detail;
  return internal;
}

FrameKind public_kind(analysis::FrameKind kind) {
  switch (kind) {
    case analysis::FrameKind::user:
      return FrameKind::user;
    case analysis::FrameKind::kernel:
      return FrameKind::kernel;
    case analysis::FrameKind::jit:
      return FrameKind::jit;
    default:
      return FrameKind::other;
  }
}

}  // namespace

Naming::Names::Names(Naming& owner)
    : namer_(owner.recording_.timeline(), owner.symbolizer(), table_, frame_style(owner.style_)),
      stacks_(namer_, owner.versions_),
      comms_(owner.recording_.timeline()) {}

const Frame& Naming::Names::frame(analysis::FrameId id) {
  if (frames_.size() <= id) frames_.resize(id + 1);
  std::optional<Frame>& known = frames_[id];
  if (known) return *known;
  const analysis::FrameOrigin& origin = table_.origin(id);
  Frame frame{.function = table_.text(id), .binary = table_.binary_of(id), .file = table_.file_of(id)};
  frame.line = origin.line;
  frame.address = origin.address;
  frame.kind = public_kind(origin.kind);
  frame.inlined = origin.inlined;
  frame.named = !origin.unnamed && frame.kind != FrameKind::other;
  return known.emplace(frame);
}

Naming::Naming(const reader::Recording& recording, std::shared_ptr<SymbolizerState> symbolizer,
               const NamingStyle& style)
    : recording_(recording),
      symbolizer_(std::move(symbolizer)),
      style_(style),
      versions_(recording, symbolizer_->symbolizer) {}

Naming::Names& Naming::take() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return names_.emplace_back(*this);
  Names& names = *free_.back();
  free_.pop_back();
  return names;
}

void Naming::give_back(Names& names) {
  const std::lock_guard lock(mutex_);
  free_.push_back(&names);
}

}  // namespace perfsift::v0::detail
