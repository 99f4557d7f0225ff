// What divides millions of stacks into ranges that can be sorted and written one after the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "output/folded/ranked_stack.h"

namespace perfsift::output {

// Stacks in the order of lines, between which ranges of others lie: range i has what does not come before limit i - 1,
// but before limit i. The stacks must live as long as this.
template <typename Rank>
class RangeLimits {
 public:
  using Stack = RankedStack<Rank>;
  using Words = RankWords<Rank>;

  explicit RangeLimits(std::span<const Stack> sorted) : stacks_(sorted.begin(), sorted.end()) {
    for (const Stack& stack : stacks_) {
      starts_.push_back(words_.size());
      for (std::uint32_t i = 0; i <= Words::word_of(stack.depth); ++i) words_.push_back(stack.word(i));
    }
  }

  std::size_t ranges() const { return stacks_.size() + 1; }

  // The first and the last range that may hold stacks on some callers. `lowest`: a stack on them without a leaf.
  std::pair<std::uint32_t, std::uint32_t> ranges_of(const Stack& lowest) const {
    const std::uint32_t first = first_from(lowest.callers);
    std::uint32_t last = first;
    while (last < stacks_.size() && stacks_[last].common(lowest) == lowest.depth - 1) ++last;
    return {first, last};
  }
  // The range of a stack, which is one of these.
  std::uint32_t range_of(const Stack& stack, std::uint32_t first, std::uint32_t last) const {
    const auto among = std::span(stacks_).subspan(first, last - first);
    const auto above = std::ranges::partition_point(among, [&](const Stack& at) { return at.compare(stack) <= 0; });
    return first + static_cast<std::uint32_t>(above - among.begin());
  }

 private:
  // How many limits come before callers, none of which they are. What the limits around those that are left have in
  // common with the callers, all between them have.
  std::uint32_t first_from(const std::uint64_t* callers) const {
    std::uint32_t below = 0, end = static_cast<std::uint32_t>(stacks_.size());
    std::uint32_t same_below = 0, same_end = 0;
    while (below < end) {
      const std::uint32_t middle = below + (end - below) / 2;
      const std::uint64_t* const limit = words_.data() + starts_[middle];
      std::uint32_t i = std::min(same_below, same_end);
      while (limit[i] == callers[i]) ++i;
      if (limit[i] < callers[i]) {
        below = middle + 1;
        same_below = i;
      } else {
        end = middle;
        same_end = i;
      }
    }
    return below;
  }

  const std::vector<Stack> stacks_;
  std::vector<std::uint64_t> words_;  // of all, one after the other
  std::vector<std::size_t> starts_;
};

}  // namespace perfsift::output
