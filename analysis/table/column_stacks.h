// Chooses the stack that a chart shows where several samples share a column of its time.
//
// A column shows one of its stacks. If this were always the stack with the most time, a function with 60 % of each
// column would fill the chart. So each stack counts its time that was not shown, and a column shows the stack with the
// most such time. Over several columns, each stack is shown for about its own time.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "analysis/profile/profile.h"

namespace perfsift::analysis {

class ColumnStacks {
 public:
  // `profile` must be complete, and live longer.
  explicit ColumnStacks(const Profile& profile)
      : profile_(profile), entries_(profile.stacks()), keys_(entries_.size()) {}

  // Stacks wait separately in each lane.
  void begin_lane() { ++lane_; }
  // Adds a sample to the column. `stack`: its number, or SampleRow::no_stack.
  void add(std::uint32_t stack, std::uint64_t time);
  // Ends the column. Returns the frames of the shown stack, without threads and control groups. If several stacks have
  // waited equally long, the stack that was added first is shown. Valid until the next call.
  std::span<const FrameId> take();

 private:
  // Equal stacks have the same key, although their numbers differ.
  using Key = std::uint32_t;
  struct Waiting {
    std::uint32_t lane = 0;
    std::int64_t time = 0;  // the time not shown yet; negative: shown for more than its own time
  };

  Key key_of(std::uint32_t stack);
  void get_frames(std::uint32_t stack);

  const Profile& profile_;
  const std::vector<const StackList::Entry*> entries_;
  std::vector<Key> keys_;  // by stack; 0: not known yet
  std::unordered_map<std::uint64_t, Key> keys_of_frames_;
  std::vector<Waiting> waiting_{{}};   // by key
  std::vector<std::uint32_t> column_;  // the stacks of the column
  std::vector<FrameId> frames_;
  std::uint64_t time_ = 0;  // the time of the column
  std::uint32_t lane_ = 0;
};

}  // namespace perfsift::analysis
