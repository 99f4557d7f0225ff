// Which stack a chart shows where several samples share a column of its time.
//
// A column shows one of its stacks. Always the one with the most time would show a function that has 60 % of each
// column as all there is. So each stack keeps count of the time that it has not been shown for, and the column goes to
// the stack that has waited for the most: over several columns, each stack is shown for about its own time.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "analysis/profile/profile.h"

namespace perfsift::analysis {

class ColumnStacks {
 public:
  // `profile`: complete, and must live longer.
  explicit ColumnStacks(const Profile& profile)
      : profile_(profile), entries_(profile.stacks()), keys_(entries_.size()) {}

  // Stacks wait separately in each lane.
  void begin_lane() { ++lane_; }
  // Adds a sample to the column. `stack`: its number, or SampleRow::no_stack.
  void add(std::uint32_t stack, std::uint64_t time);
  // Ends the column. The frames of the stack that the column shows, without threads and control groups; of equal
  // stacks the one that comes first. Valid until the next call.
  std::span<const FrameId> take();

 private:
  // Equal stacks with different numbers have one key.
  using Key = std::uint32_t;
  struct Waiting {
    std::uint32_t lane = 0;
    std::int64_t time = 0;  // less than 0: shown for more than its own time
  };

  Key key_of(std::uint32_t stack);
  void get_frames(std::uint32_t stack);

  const Profile& profile_;
  const std::vector<const StackList::Entry*> entries_;
  std::vector<Key> keys_;  // by stack; 0: not known yet
  std::unordered_map<std::uint64_t, Key> keys_of_frames_;
  std::vector<Waiting> waiting_{{}};   // by key
  std::vector<std::uint32_t> column_;  // its stacks
  std::vector<FrameId> frames_;
  std::uint64_t time_ = 0;  // of the column
  std::uint32_t lane_ = 0;
};

}  // namespace perfsift::analysis
