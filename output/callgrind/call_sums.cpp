#include "output/callgrind/call_sums.h"

#include <utility>

namespace perfsift::output {

using analysis::CallTree;

CallSums::CallSums(const CallTree& tree, const analysis::SampleGroups& groups,
                   const std::vector<analysis::EventId>& events)
    : tree_(tree), events_(events.size()), frameless_(events.size()), total_(events.size()) {
  number_functions();
  last_seen_.resize(functions_.size());
  std::vector<std::size_t> places(tree.profile().events().size());
  for (std::size_t i = 0; i < events.size(); ++i) places[events[i]] = i;
  analysis::SampleGroups::Memory memory;
  for (std::size_t piece = 0; piece < groups.pieces(); ++piece) {
    for (const analysis::SampleGroup& group : groups.piece(piece, memory)) add(group, places[group.event]);
  }
}

void CallSums::number_functions() {
  const analysis::FrameTable& frames = tree_.profile().frames();
  constexpr FunctionId none = ~FunctionId{0};
  of_frame_.assign(frames.size(), none);
  std::map<Function, FunctionId> numbers;
  for (CallTree::Node node = 1; node < tree_.size(); ++node) {
    const analysis::FrameId frame = tree_.frame(node);
    if (of_frame_[frame] != none) continue;
    const Function function{
        .name = frames.text(frame), .binary = frames.binary_of(frame), .file = frames.file_of(frame)};
    const auto [known, is_new] = numbers.try_emplace(function, static_cast<FunctionId>(functions_.size()));
    if (is_new) functions_.push_back(function);
    of_frame_[frame] = known->second;
  }
}

// Fills path_. A group's number marks the functions that its path has had so far.
void CallSums::find_path(CallTree::Node node) {
  const analysis::FrameTable& frames = tree_.profile().frames();
  path_.resize(tree_.depth(node));
  for (std::size_t i = path_.size(); i-- > 0; node = tree_.parent(node)) {
    const analysis::FrameId frame = tree_.frame(node);
    path_[i] = {.function = of_frame_[frame], .line = frames.origin(frame).line};
  }
  ++group_;
  for (Place& place : path_) place.recursion = std::exchange(last_seen_[place.function][0], group_) == group_;
}

void CallSums::add(const analysis::SampleGroup& group, std::size_t event) {
  const auto add_to = [&](Amounts& amounts) {
    amounts.resize(events_);
    amounts[event] += group.amount;
  };
  add_to(total_);
  if (group.node == CallTree::root) return add_to(frameless_);
  find_path(group.node);
  add_to(outermost_[path_.front()]);
  add_to(self_[path_.back()]);
  ++group_;
  for (std::size_t i = path_.size(); i-- > 0;) {
    const bool innermost = std::exchange(last_seen_[path_[i].function][path_[i].recursion ? 1 : 0], group_) != group_;
    if (i + 1 == path_.size()) continue;
    if (innermost || !path_[i + 1].recursion) add_to(calls_[{.caller = path_[i], .callee = path_[i + 1]}]);
  }
}

}  // namespace perfsift::output
