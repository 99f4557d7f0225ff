#include "analysis/samples/thread_cgroups.h"

#include <algorithm>

namespace perfsift::analysis {

bool records_cgroups(const reader::Recording& recording) {
  return std::ranges::any_of(recording.events(),
                             [](const auto& event) { return event->attr.has(reader::sample_bit::cgroup); });
}

std::uint32_t ThreadCgroups::number(const Pair& pair) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = numbers_.try_emplace(pair, static_cast<std::uint32_t>(pairs_.size()));
  if (is_new) pairs_.push_back(pair);
  return known->second;
}

ThreadCgroups::Pair ThreadCgroups::pair(std::uint32_t number) const {
  const std::lock_guard lock(mutex_);
  return pairs_[number];
}

}  // namespace perfsift::analysis
