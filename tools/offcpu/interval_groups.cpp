#include "tools/offcpu/interval_groups.h"

namespace perfsift::offcpu {

std::uint32_t IntervalGroups::find(const Key& key, const Interval& interval) {
  const auto [known, is_new] = known_.try_emplace(key, static_cast<std::uint32_t>(groups_.size()));
  if (is_new) groups_.push_back({.first = interval, .sums = {}});
  return known->second;
}

}  // namespace perfsift::offcpu
