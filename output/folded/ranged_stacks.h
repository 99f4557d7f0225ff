// Stacks by the ranges they are in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analysis/profile/profile.h"
#include "base/large_vector.h"
#include "base/stable_vector.h"
#include "output/folded/range_limits.h"
#include "output/folded/ranked_callers.h"

namespace perfsift::output {

// Some lists, whose stacks can be put next to each other by the range they are in. Not thread-safe.
template <typename Rank>
class RangedStacks {
 public:
  using Entry = analysis::StackList::Entry;

  explicit RangedStacks(std::vector<const analysis::StackList*> lists) : lists_(std::move(lists)) {}

  // After RankedCallers::find_ranges() for all callers.
  void split(const RankedCallers<Rank>& callers, const RangeLimits<Rank>& limits) {
    LargeVector<std::uint32_t> range_of;
    range_of.reserve(count(lists_));
    starts_.assign(limits.ranges() + 1, 0);
    for (const analysis::StackList* list : lists_) {
      const StableVector<Entry>& entries = list->entries();
      for (std::size_t i = 0; i < entries.size(); ++i) {
        if (i + prefetch_ahead < entries.size()) callers.prefetch(entries[i + prefetch_ahead]);
        range_of.push_back(callers.range_of(entries[i], limits));
        ++starts_[range_of.back() + 1];
      }
    }
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    std::vector<std::size_t> places(starts_);
    by_range_.resize(range_of.size());
    auto range = range_of.begin();
    for (const analysis::StackList* list : lists_) {
      for (const Entry& entry : list->entries()) by_range_[places[*range++]++] = &entry;
    }
  }
  // After split().
  std::span<const Entry* const> range(std::size_t i) const {
    return std::span(by_range_).subspan(starts_[i], starts_[i + 1] - starts_[i]);
  }

 private:
  static constexpr std::size_t prefetch_ahead = 16;

  static std::size_t count(const std::vector<const analysis::StackList*>& lists) {
    std::size_t stacks = 0;
    for (const analysis::StackList* list : lists) stacks += list->entries().size();
    return stacks;
  }

  std::vector<const analysis::StackList*> lists_;
  LargeVector<const Entry*> by_range_;
  std::vector<std::size_t> starts_;  // of ranges
};

}  // namespace perfsift::output
