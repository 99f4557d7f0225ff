// The stacks of samples in the order of time, with one lane for each thread: the contents of a flame chart.
//
// Consecutive stacks share the nodes of their common frames, as in a CallTree. Equal stacks at different times do not
// share nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/profile/amount.h"
#include "analysis/profile/profile.h"
#include "analysis/table/sample_table.h"
#include "base/large_vector.h"

namespace perfsift::analysis {

struct StackTimeline {
  static constexpr FrameId no_frame = ~FrameId{0};

  struct Node {
    FrameId frame = no_frame;  // no_frame: the root, or a part of its parent's time without a deeper frame
    std::uint32_t depth = 0;
    Amount self;  // before the node's children
  };

  // In preorder, and in the order of time. nodes[0] is the root.
  LargeVector<Node> nodes;
  bool has_lanes = false;     // the children of the root are threads, and values are nanoseconds
  std::uint64_t from = 0;     // the time at which lanes begin, in nanoseconds
  std::uint64_t untimed = 0;  // samples without a time, which are in no lane
  std::uint64_t column = 0;   // nanoseconds: samples of a thread within this width are joined; 0: none are joined
};

// A lane for each thread of the table. Threads with the most samples come first. All lanes have the same length. The
// rows must be in the order of their times (TableShape::in_order). The names of the lanes become frames of the profile.
//
// A sample stands for the time since the previous sample of its thread, but at most for 1.5 times the usual distance of
// samples. If samples are further apart, the thread did not run for all of that time.
//
// If there are more samples than a picture can show, the samples of a thread in one column of time are joined: see
// ColumnStacks. The sums of time and samples of each lane stay the same.
StackTimeline timeline_of_threads(const SampleTable& table, Profile& profile);

// The stacks in the order in which they were added. Each stack is as long as its value.
StackTimeline timeline_of_stacks(const Profile& profile);

}  // namespace perfsift::analysis
