#include "analysis/offcpu/recording_names.h"

#include "reader/callchain.h"

namespace perfsift::offcpu {

RecordingNames::RecordingNames(const reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                               const analysis::CodeVersions& versions, const Scheduler& scheduler,
                               const StackTable& stacks, const analysis::FrameStyle& style)
    : Names(scheduler, stacks),
      timeline_(recording.timeline()),
      symbolizer_(symbolizer),
      versions_(versions),
      style_(style) {
  begin_naming();
}

void RecordingNames::forget() {
  stack_namer_.reset();
  namer_.reset();
  Names::forget();
  begin_naming();
}

void RecordingNames::begin_naming() {
  namer_ = std::make_unique<analysis::FrameNamer>(timeline_, symbolizer_, frames(), style_);
  stack_namer_ = std::make_unique<analysis::StackNamer>(*namer_, versions_);
}

std::string RecordingNames::comm_of(std::int32_t tid, std::uint32_t name) const {
  return timeline_.comm(tid, {.comm = name});
}

void RecordingNames::name(StackId id, NamedStack& named) {
  const StackOwner& owner = stacks().owner(id);
  reader::for_each_part(stacks().words(id), owner.mode, [&](const reader::CallchainPart& part) {
    stack_namer_->append(owner, part, analysis::is_kernel_mode(part.mode) ? named.kernel : named.user);
  });
  if (reader::is_noted_truncated(stacks().words(id))) named.user.push_back(frames().intern("[truncated]"));
}

}  // namespace perfsift::offcpu
