#include "analysis/profile/stack_sums.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "base/hash.h"

namespace perfsift::analysis {

std::size_t StackSums::Hash::operator()(const Stack& stack) const {
  const auto* bytes = reinterpret_cast<const char*>(stack.callers.data());
  const std::size_t callers = std::hash<std::string_view>()({bytes, stack.callers.size_bytes()});
  return mix(callers ^ odd_1, (std::uint64_t{stack.event} << 32 | stack.leaf) ^ odd_2);
}

bool StackSums::Equal::operator()(const Stack& a, std::size_t entry) const {
  const Stack b = sums.stack_of(entry);
  return a.event == b.event && a.leaf == b.leaf && std::ranges::equal(a.callers, b.callers);
}

StackSums::StackSums(Profile& total) : total_(total), list_(total.new_list()), entries_(0, Hash{*this}, Equal{*this}) {}

void StackSums::add(const Profile& part) {
  std::vector<FrameId> frame_of;  // the frame in `total_` by the frame in `part`
  for (FrameId frame = 0; frame < part.frames().size(); ++frame) {
    frame_of.push_back(total_.frames().intern_from(part.frames(), frame));
  }
  std::vector<EventId> event_of;
  for (EventId event = 0; event < part.events().size(); ++event) event_of.push_back(total_.event_from(part, event));

  std::vector<FrameId> frames;
  for (const StackList& list : part.lists()) {
    for (const StackList::Entry& entry : list.entries()) {
      const Callers& callers = part.callers(entry.callers);
      frames.clear();
      for (const FrameId frame : callers.frames) frames.push_back(frame_of[frame]);
      add({.event = event_of[callers.event], .callers = frames, .leaf = frame_of[entry.leaf]}, entry.amount);
    }
    list_.add_frameless(list.frameless());
  }
}

void StackSums::add(EventId event, std::span<const FrameId> frames, const Amount& amount) {
  if (frames.empty()) return list_.add_frameless(amount);
  add({.event = event, .callers = frames.first(frames.size() - 1), .leaf = frames.back()}, amount);
}

// The list has only its own callers, so the index alone identifies callers.
StackSums::Stack StackSums::stack_of(std::size_t entry) const {
  const StackList::Entry& at = list_.entries()[entry];
  const Callers& callers = list_.callers()[at.callers.index];
  return {.event = callers.event, .callers = callers.frames, .leaf = at.leaf};
}

void StackSums::add(const Stack& stack, const Amount& amount) {
  if (const auto known = entries_.find(stack); known != entries_.end()) return list_.increase(*known, amount);
  list_.add(list_.add_callers(stack.event, stack.callers), stack.leaf, amount);
  entries_.insert(list_.entries().size() - 1);
}

}  // namespace perfsift::analysis
