// Which of many ranges covers an address, when they may lie in each other.
//
// One binary search cannot tell. So the ranges are cut into stretches that do not overlap, each with the one that
// answers:
//
//   outer   |----------------------|        cover: | outer | inner | outer | - |
//   inner           |-------|
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

namespace perfsift::symbolize::dwarf {

struct AddressRange {
  std::uint64_t start = 0;
  std::uint64_t end = 0;  // exclusive
};

// A range and whose it is.
struct OwnedRange {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint32_t owner = 0;
};

// Plain arrays. Immutable once made.
class Cover {
 public:
  static constexpr std::uint32_t nothing = ~std::uint32_t{0};

  Cover() = default;
  // Of several ranges at an address the one whose owner is the largest number answers. Empty ranges cover nothing.
  explicit Cover(std::vector<OwnedRange> ranges);

  // The owner of the range that answers for an address, or `nothing`.
  std::uint32_t find(std::uint64_t address) const {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), address);
    return after == starts_.begin() ? nothing : owners_[static_cast<std::size_t>(after - starts_.begin()) - 1];
  }
  // All that is covered, as ranges of one owner.
  void append_to(std::vector<OwnedRange>& ranges, std::uint32_t owner) const {
    for (std::size_t i = 0; i + 1 < starts_.size(); ++i)
      if (owners_[i] != nothing) ranges.push_back({starts_[i], starts_[i + 1], owner});
  }

 private:
  void add(std::uint64_t start, std::uint32_t owner);

  // From starts_[i] on, to the next one, owners_[i] answers.
  std::vector<std::uint64_t> starts_;
  std::vector<std::uint32_t> owners_;
};

inline Cover::Cover(std::vector<OwnedRange> ranges) {
  std::erase_if(ranges, [](const OwnedRange& range) { return range.start >= range.end; });
  std::ranges::sort(ranges, {}, [](const OwnedRange& range) { return std::pair(range.start, range.owner); });
  starts_.reserve(ranges.size());
  owners_.reserve(ranges.size());

  // Walks over all starts and ends in order. `active` holds what covers the position and what ended unnoticed below it.
  using Active = std::pair<std::uint32_t, std::uint64_t>;  // owner, end
  std::priority_queue<Active> active;
  std::size_t next = 0;
  while (next < ranges.size() || !active.empty()) {
    const std::uint64_t end = active.empty() ? ~std::uint64_t{0} : active.top().second;
    const std::uint64_t start = next < ranges.size() ? ranges[next].start : ~std::uint64_t{0};
    const std::uint64_t position = std::min(start, end);
    for (; next < ranges.size() && ranges[next].start == position; ++next)
      active.emplace(ranges[next].owner, ranges[next].end);
    while (!active.empty() && active.top().second <= position) active.pop();
    add(position, active.empty() ? nothing : active.top().first);
  }
}

inline void Cover::add(std::uint64_t start, std::uint32_t owner) {
  if (!owners_.empty() && owners_.back() == owner) return;
  starts_.push_back(start);
  owners_.push_back(owner);
}

}  // namespace perfsift::symbolize::dwarf
