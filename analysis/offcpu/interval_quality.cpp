#include "analysis/offcpu/interval_quality.h"

#include <algorithm>
#include <cstddef>

namespace perfsift::offcpu {

IntervalQuality::IntervalQuality(const reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                                 const StackTable& stacks)
    : recording_(recording), stacks_(stacks), qualities_(recording.timeline(), symbolizer) {}

void IntervalQuality::make_room_for(StackId stack) {
  counts_.resize(std::max<std::size_t>(stack + std::size_t{1}, counts_.size() * 2));
}

void IntervalQuality::forget_stacks() {
  for (StackId stack = no_stack + 1; stack < counts_.size(); ++stack) {
    if (counts_[stack] != 0) judge(stack, counts_[stack]);
  }
  qualities_.move_to(seen_);
  counts_.clear();
}

void IntervalQuality::judge(StackId stack, std::uint64_t intervals) {
  const reader::Words words = stacks_.words(stack);
  // A callchain begins with a marker. An address alone is the sample's ip: no stack was recorded.
  if (words.size() < 2) return;
  const StackOwner& owner = stacks_.owner(stack);
  seen_.callchains += intervals;
  if (owner.truncated) seen_.truncated_stacks += intervals;
  qualities_.add({.first_word = words.data(),
                  .word_count = static_cast<std::uint32_t>(words.size()),
                  .owner = {.maps = owner.maps,
                            .kernel_maps = owner.kernel_maps,
                            .tail = static_cast<std::uint32_t>(owner.tail),
                            .mode = static_cast<std::uint32_t>(owner.mode)}},
                 intervals);
}

analysis::Quality IntervalQuality::quality() {
  forget_stacks();
  seen_.add_recorded(recording_.stats());
  return seen_;
}

}  // namespace perfsift::offcpu
