#include "analysis/offcpu/names.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/printable.h"

namespace perfsift::offcpu {

void Names::forget() {
  named_.clear();
  frames_ = std::make_unique<analysis::FrameTable>();
}

std::string Names::comm(ThreadNumber thread) const { return printable(recorded_comm(thread)); }

std::string Names::comm_of_stack(StackId stack) const { return printable(recorded_comm_of_stack(stack)); }

std::string Names::recorded_comm(ThreadNumber thread) const {
  if (thread == no_thread) return "[unknown]";
  return recorded_comm(scheduler_.threads()[thread]);
}

std::string Names::thread(ThreadNumber thread) const {
  if (thread == no_thread) return "[unknown]";
  const std::int32_t tid = scheduler_.threads()[thread].tid;
  return tid == 0 ? "<idle>" : fmt::format("{}[{}]", comm(thread), tid);
}

std::string Names::recorded_comm_of_stack(StackId stack) const {
  const StackOwner& owner = stacks_.owner(stack);
  return comm_of(owner.tid, owner.comm);
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
    for (const analysis::FrameId frame : *part) {
      if (!text.empty()) text += separator;
      text += frames_->text(frame);
    }
  }
  return text;
}

}  // namespace perfsift::offcpu
