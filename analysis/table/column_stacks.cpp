#include "analysis/table/column_stacks.h"

#include <utility>

#include "base/hash.h"

namespace perfsift::analysis {

void ColumnStacks::add(std::uint32_t stack, std::uint64_t time) {
  time_ += time;
  if (column_.empty() || column_.back() != stack) column_.push_back(stack);
  Waiting& waiting = waiting_[key_of(stack)];
  if (waiting.lane != lane_) waiting = {.lane = lane_};
  waiting.time += static_cast<std::int64_t>(time);
}

std::span<const FrameId> ColumnStacks::take() {
  std::uint32_t shown = column_.front();
  for (const std::uint32_t stack : column_) {
    if (waiting_[key_of(stack)].time > waiting_[key_of(shown)].time) shown = stack;
  }
  waiting_[key_of(shown)].time -= static_cast<std::int64_t>(std::exchange(time_, 0));
  column_.clear();
  get_frames(shown);
  return frames_;
}

// If two different keys are equal by chance, their stacks only wait together.
ColumnStacks::Key ColumnStacks::key_of(std::uint32_t stack) {
  if (stack >= keys_.size()) return 0;
  Key& key = keys_[stack];
  if (key != 0) return key;
  get_frames(stack);
  std::uint64_t hash = odd_1;
  for (const FrameId frame : frames_) hash = mix(hash ^ frame, odd_2);
  key = keys_of_frames_.try_emplace(hash, static_cast<Key>(waiting_.size())).first->second;
  if (key == waiting_.size()) waiting_.emplace_back();
  return key;
}

void ColumnStacks::get_frames(std::uint32_t stack) {
  frames_.clear();
  if (stack >= entries_.size()) return;
  profile_.get_frames(*entries_[stack], frames_);
  std::erase_if(frames_, [this](FrameId frame) {
    const FrameKind kind = profile_.frames().origin(frame).kind;
    return kind == FrameKind::thread || kind == FrameKind::cgroup;
  });
}

}  // namespace perfsift::analysis
