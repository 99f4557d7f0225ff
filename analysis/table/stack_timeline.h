// The stacks of samples in the order of time, one lane for each thread: what a flame chart shows.
//
// Stacks that follow each other share the nodes of the frames they have in common, as in a CallTree; equal stacks at
// different times do not.
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
    FrameId frame = no_frame;  // no_frame: the root, and a stretch of its parent without a deeper frame
    std::uint32_t depth = 0;
    Amount self;  // before the node's children
  };

  // In preorder, and in the order of time. nodes[0] is the root.
  LargeVector<Node> nodes;
  bool has_lanes = false;     // the children of the root are threads, and values are nanoseconds
  std::uint64_t from = 0;     // the time at which lanes begin, in nanoseconds
  std::uint64_t untimed = 0;  // samples without a time, which are in no lane
  std::uint64_t column = 0;   // the nanoseconds in which samples of a thread are joined; 0: no samples are joined
};

// A lane for each thread of the table, the ones with the most samples first; all lanes are equally long. The rows must
// be in the order of their times (TableShape::in_order). The names of the lanes become frames of the profile.
//
// A sample stands for the time since the sample before it in its thread, but at most for 1.5 times the usual distance
// of samples: the thread did not run the whole time between samples that are further apart.
//
// With more samples than a picture can show, the samples of a thread in one column of the time are joined: see
// ColumnStacks. The sums of time and samples of each lane stay the same.
StackTimeline timeline_of_threads(const SampleTable& table, Profile& profile);

// The stacks in the order in which they were added, one after the other, each as long as its value.
StackTimeline timeline_of_stacks(const Profile& profile);

}  // namespace perfsift::analysis
