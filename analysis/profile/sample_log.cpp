#include "analysis/profile/sample_log.h"

#include <algorithm>
#include <tuple>

#include "analysis/profile/ranked_stack.h"

namespace perfsift::analysis {

std::uint32_t SampleLog::context(const SampleContext& context) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = numbers_.try_emplace(context, static_cast<std::uint32_t>(contexts_.size()));
  if (is_new) contexts_.push_back(context);
  return known->second;
}

std::span<LoggedSample> SampleLog::grow(std::size_t more) {
  const std::lock_guard lock(mutex_);
  samples_.resize(samples_.size() + more);
  return std::span(samples_).last(more);
}

void SampleLog::append(std::span<const LoggedSample> samples) {
  const std::lock_guard lock(mutex_);
  samples_.insert(samples_.end(), samples.begin(), samples.end());
}

void SampleLog::append(const LoggedAmount& amount) {
  const std::lock_guard lock(mutex_);
  amounts_.push_back(amount);
}

void SampleLog::sort_by_time() {
  UnsetVector<LoggedSample> scratch(samples_.size());
  radix_sort(std::span(samples_), std::span(scratch), &LoggedSample::time);
  const auto in_file = [](const LoggedSample& a, const LoggedSample& b) {
    return std::tuple(a.position, a.event) < std::tuple(b.position, b.event);
  };
  for (auto first = samples_.begin(); first != samples_.end();) {
    const auto end = std::find_if(first, samples_.end(), [&](const LoggedSample& s) { return s.time != first->time; });
    if (end - first > 1) std::stable_sort(first, end, in_file);
    first = end;
  }
}

}  // namespace perfsift::analysis
