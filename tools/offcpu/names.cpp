#include "tools/offcpu/names.h"

#include <fmt/format.h>

#include "reader/callchain.h"
#include "tools/profile/address_context.h"

namespace perfsift::offcpu {

Names::Names(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, const tools::CodeVersions& versions,
             const Scheduler& scheduler, const StackTable& stacks, const tools::FrameStyle& style)
    : timeline_(recording.timeline()),
      symbolizer_(symbolizer),
      versions_(versions),
      scheduler_(scheduler),
      stacks_(stacks),
      style_(style) {
  forget();
}

void Names::forget() {
  named_.clear();
  addresses_ = std::make_unique<tools::AddressTables>();
  namer_.reset();
  frames_ = std::make_unique<tools::FrameTable>();
  namer_ = std::make_unique<tools::FrameNamer>(timeline_, symbolizer_, *frames_, style_);
}

std::string Names::comm(ThreadNumber thread) const {
  if (thread == no_thread) return "[unknown]";
  const ThreadClock& clock = scheduler_.threads()[thread];
  return timeline_.comm(clock.tid, {.comm = clock.name});
}

std::string Names::thread(ThreadNumber thread) const {
  if (thread == no_thread) return "[unknown]";
  const std::int32_t tid = scheduler_.threads()[thread].tid;
  return tid == 0 ? "<idle>" : fmt::format("{}[{}]", comm(thread), tid);
}

std::string Names::comm_of_stack(StackId stack) const {
  const StackOwner& owner = stacks_.owner(stack);
  return timeline_.comm(owner.tid, {.comm = owner.comm});
}

const NamedStack& Names::stack(StackId id) {
  if (named_.size() <= id) named_.resize(std::max<std::size_t>(id + std::size_t{1}, stacks_.size() + 1));
  NamedStack& named = named_[id];
  if (!named.named && id != no_stack) name(id, named);
  named.named = true;
  return named;
}

std::string Names::leaf_first(StackId id, std::string_view separator) {
  std::string text;
  const NamedStack& named = stack(id);
  for (const auto* part : {&named.kernel, &named.user}) {
    for (const tools::FrameId frame : *part) {
      if (!text.empty()) text += separator;
      text += frames_->text(frame);
    }
  }
  return text;
}

void Names::name(StackId id, NamedStack& named) {
  const StackOwner& owner = stacks_.owner(id);
  reader::for_each_part(stacks_.words(id), owner.mode, [&](const reader::CallchainPart& part) {
    append(owner, part, tools::is_kernel_mode(part.mode) ? named.kernel : named.user);
  });
  if (reader::is_noted_truncated(stacks_.words(id))) named.user.push_back(frames_->intern("[truncated]"));
}

void Names::append(const StackOwner& owner, const reader::CallchainPart& part, std::vector<tools::FrameId>& frames) {
  const reader::ThreadState state{.comm = owner.comm, .maps = owner.maps, .kernel_maps = owner.kernel_maps};
  bool return_address = !part.starts_a_call;
  for (const std::uint64_t ip : part.addresses) {
    const auto named = addresses_->of(tools::address_context(owner, part, return_address)).find(ip, [&] {
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
