#include "analysis/collect/stack_quality.h"

namespace perfsift::analysis {

StackQuality::StackQuality(const reader::Timeline& timeline, symbolize::Symbolizer& symbolizer)
    : timeline_(timeline),
      symbolizer_(symbolizer),
      frames_(timeline),
      ends_(timeline, symbolizer),
      end_finder_(ends_) {}

void StackQuality::add(const KnownCallchain& chain, std::uint64_t samples) {
  frames_->add(chain, samples);
  end_counts_.add(end_finder_.of(chain.owner, chain.words()), samples);
}

void StackQuality::move_to(Quality& quality) {
  frames_->name(symbolizer_, quality);
  ends_.count(end_counts_, quality);
  frames_.emplace(timeline_);
  end_counts_ = {};
}

}  // namespace perfsift::analysis
