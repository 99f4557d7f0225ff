#include "analysis/offcpu/recording_names.h"

#include "analysis/samples/address_context.h"
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
  namer_.reset();
  Names::forget();
  begin_naming();
}

void RecordingNames::begin_naming() {
  addresses_ = std::make_unique<analysis::AddressTables>();
  namer_ = std::make_unique<analysis::FrameNamer>(timeline_, symbolizer_, frames(), style_);
}

std::string RecordingNames::comm_of(std::int32_t tid, std::uint32_t name) const {
  return timeline_.comm(tid, {.comm = name});
}

void RecordingNames::name(StackId id, NamedStack& named) {
  const StackOwner& owner = stacks().owner(id);
  reader::for_each_part(stacks().words(id), owner.mode, [&](const reader::CallchainPart& part) {
    append(owner, part, analysis::is_kernel_mode(part.mode) ? named.kernel : named.user);
  });
  if (reader::is_noted_truncated(stacks().words(id))) named.user.push_back(frames().intern("[truncated]"));
}

void RecordingNames::append(const StackOwner& owner, const reader::CallchainPart& part,
                            std::vector<analysis::FrameId>& frames) {
  const reader::ThreadState state{.comm = owner.comm, .maps = owner.maps, .kernel_maps = owner.kernel_maps};
  bool return_address = !part.starts_a_call;
  for (const std::uint64_t ip : part.addresses) {
    const auto named = addresses_->of(analysis::address_context(owner, part, return_address)).find(ip, [&] {
      return namer_->name(state, {.mode = part.mode,
                                  .ip = ip,
                                  .return_address = return_address,
                                  .note = part.note,
                                  .code_time = versions_.time_in(owner.code_version)});
    });
    if (named.is_group()) {
      const auto group = namer_->group(named.frame);
      frames.insert(frames.end(), group.begin(), group.end());
    } else {
      frames.push_back(named.frame);
    }
    return_address = true;
  }
}

}  // namespace perfsift::offcpu
