// Counts on the quality of collected stacks.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/collect/stack_ends.h"
#include "analysis/profile/quality.h"

namespace perfsift::analysis {

// Counts of samples and frames.
struct CollectCounts {
  std::uint64_t samples = 0;
  std::uint64_t without_stack = 0;  // samples with no frames left to show (see StackPart)
  std::uint64_t callchains = 0;     // samples with a callchain
  std::uint64_t truncated = 0;      // samples whose recorded stack lacks outer frames
  InterruptCounts interrupts;
  std::uint64_t frames = 0;
  std::vector<std::uint64_t> remarks;  // frames, by index into FrameNamer::remarks()
  EndCounts ends;

  void add(const CollectCounts& other);
  void add_remark(std::uint32_t remark, std::uint64_t frames);
};

}  // namespace perfsift::analysis
