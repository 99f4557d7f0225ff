#include "analysis/profile/sample_log.h"

#include "analysis/profile/ranked_stack.h"

namespace perfsift::analysis {

std::uint32_t SampleLog::context(const SampleContext& context) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = numbers_.try_emplace(context, static_cast<std::uint32_t>(contexts_.size()));
  if (is_new) contexts_.push_back(context);
  return known->second;
}

void SampleLog::append(std::span<const LoggedSample> samples) {
  const std::lock_guard lock(mutex_);
  samples_.insert(samples_.end(), samples.begin(), samples.end());
}

void SampleLog::sort_by_time() {
  LargeVector<LoggedSample> scratch(samples_.size());
  radix_sort(std::span(samples_), std::span(scratch), &LoggedSample::time);
}

}  // namespace perfsift::analysis
