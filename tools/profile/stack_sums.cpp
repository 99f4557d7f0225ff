#include "tools/profile/stack_sums.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace perfsift::tools {

std::size_t StackSums::Hash::operator()(const Stack& stack) const {
  const auto* bytes = reinterpret_cast<const char*>(stack.frames.data());
  return std::hash<std::string_view>()({bytes, stack.frames.size_bytes()}) ^ stack.event;
}

std::size_t StackSums::Hash::operator()(std::size_t entry) const {
  const StackList::Entry& at = list.entries()[entry];
  return (*this)({.event = at.event, .frames = at.outer});
}

bool StackSums::Equal::operator()(const Stack& a, std::size_t b) const {
  const StackList::Entry& at = list.entries()[b];
  return a.event == at.event && std::ranges::equal(a.frames, at.outer);
}

StackSums::StackSums(Profile& total) : total_(total), list_(total.new_list()), entries_(0, Hash{list_}, Equal{list_}) {}

void StackSums::add(const Profile& part) {
  std::vector<FrameId> frame_of;  // `total_`, by the number in `part`
  for (FrameId frame = 0; frame < part.frames().size(); ++frame) {
    frame_of.push_back(total_.frames().intern(part.frames().text(frame)));
  }
  std::vector<EventId> event_of;
  for (const std::string& event : part.events()) event_of.push_back(total_.event(event));

  std::vector<FrameId> frames;
  for (const StackList& list : part.lists()) {
    for (const StackList::Entry& entry : list.entries()) {
      frames.clear();
      entry.for_each_frame([&](FrameId frame) { frames.push_back(frame_of[frame]); });
      add({.event = event_of[entry.event], .frames = frames}, entry.value);
    }
  }
}

void StackSums::add(const Stack& stack, std::uint64_t value) {
  if (const auto known = entries_.find(stack); known != entries_.end()) return list_.increase(*known, value);
  list_.add(stack.event, stack.frames, value);
  entries_.insert(list_.entries().size() - 1);
}

}  // namespace perfsift::tools
