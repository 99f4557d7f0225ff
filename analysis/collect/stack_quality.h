// Finds out which frames of stacks have no name, and which stacks are incomplete, for a Quality.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/collect/frame_counts.h"
#include "analysis/collect/stack_ends.h"
#include "analysis/profile/quality.h"

namespace perfsift::analysis {

// Not thread-safe. The timeline and the symbolizer must live longer.
class StackQuality {
 public:
  StackQuality(const reader::Timeline& timeline, symbolize::Symbolizer& symbolizer);

  // Counts `samples` samples with this callchain. The owner's address spaces, mode and tail are used.
  void add(const KnownCallchain& chain, std::uint64_t samples);

  // Looks up the names of all addresses, adds incomplete stacks and missing names to `quality`, and resets the counts.
  // The callchains are not used afterwards.
  void move_to(Quality& quality);

 private:
  const reader::Timeline& timeline_;
  symbolize::Symbolizer& symbolizer_;
  std::optional<FrameCounts> frames_;
  StackEnds ends_;
  StackEndFinder end_finder_;
  EndCounts end_counts_;
};

}  // namespace perfsift::analysis
