// Finds the range that covers an address, among ranges that may be nested.
//
// A binary search over nested ranges is not possible. So the ranges are cut into stretches that do not overlap, each
// with the range that answers:
//
//   outer   |----------------------|        cover: | outer | inner | outer | - |
//   inner           |-------|
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "symbolize/cache/flat_array.h"

namespace perfsift::symbolize::dwarf {

struct AddressRange {
  std::uint64_t start = 0;
  std::uint64_t end = 0;  // exclusive
};

// A range and its owner.
struct OwnedRange {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint32_t owner = 0;
};

// Flat. Immutable once made.
class Cover {
 public:
  static constexpr std::uint32_t nothing = ~std::uint32_t{0};

  Cover() = default;
  // Where ranges overlap, the range with the largest owner answers. Empty ranges cover nothing.
  explicit Cover(std::vector<OwnedRange> ranges);

  // The owner of the range that answers for an address, or `nothing`.
  std::uint32_t find(std::uint64_t address) const {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), address);
    return after == starts_.begin() ? nothing : owners_[static_cast<std::size_t>(after - starts_.begin()) - 1];
  }
  // Whether the cover is valid, and has only owners below `owners`. For a cover from a file that other users may write.
  bool is_sound(std::uint32_t owners) const {
    const auto known = [&](std::uint32_t owner) { return owner == nothing || owner < owners; };
    return starts_.size() == owners_.size() && std::ranges::all_of(owners_, known);
  }
  // Appends all covered addresses as ranges of one owner.
  void append_to(std::vector<OwnedRange>& ranges, std::uint32_t owner) const {
    for (std::size_t i = 0; i + 1 < starts_.size(); ++i)
      if (owners_[i] != nothing) ranges.push_back({starts_[i], starts_[i + 1], owner});
  }

  template <typename Self, typename Visit>
  static void visit_arrays(Self& self, Visit&& visit) {
    visit(self.starts_);
    visit(self.owners_);
  }

 private:
  // From starts_[i] on, to the next one, owners_[i] answers.
  FlatArray<std::uint64_t> starts_;
  FlatArray<std::uint32_t> owners_;
};

inline Cover::Cover(std::vector<OwnedRange> ranges) {
  std::erase_if(ranges, [](const OwnedRange& range) { return range.start >= range.end; });
  std::ranges::sort(ranges, {}, [](const OwnedRange& range) { return std::pair(range.start, range.owner); });
  std::vector<std::uint64_t> starts;
  std::vector<std::uint32_t> owners;
  starts.reserve(ranges.size());
  owners.reserve(ranges.size());
  const auto add = [&](std::uint64_t start, std::uint32_t owner) {
    if (!owners.empty() && owners.back() == owner) return;
    starts.push_back(start);
    owners.push_back(owner);
  };

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
  starts_ = FlatArray(std::move(starts));
  owners_ = FlatArray(std::move(owners));
}

}  // namespace perfsift::symbolize::dwarf
