// Sums of memory accesses that are equal in all keys of a report. Summed accesses need fewer look-ups of texts and
// tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "analysis/memory/memory_access.h"
#include "analysis/memory/memory_report.h"
#include "analysis/samples/frame_table.h"
#include "analysis/table/key.h"
#include "base/hash.h"
#include "base/recent_map.h"

namespace perfsift::analysis {

struct AccessGroup {
  static constexpr std::size_t most_cells = 8;

  std::uint64_t source = 0;  // the bits of the data source
  std::uint32_t event = 0;   // the index of the event
  bool has_address = false;
  bool mapped = false;  // code and data are in mappings
  // The numbers of the other keys' texts, two in a word. Unused places are 0. A processor waits if it reads a word
  // directly after writing its halves.
  std::array<std::uint64_t, most_cells / 2> cells{};

  FrameId cell(std::size_t key) const { return static_cast<FrameId>(cells[key / 2] >> key % 2 * 32); }
  bool operator==(const AccessGroup&) const = default;
};

// Not thread-safe.
class AccessGroups {
 public:
  // `keys`: the keys without those of the data source, at most AccessGroup::most_cells.
  explicit AccessGroups(Keys keys) : keys_(std::move(keys)) {}

  // `cells` holds the access. cells.mapped() and cells.cell(key) give the number of a text.
  template <typename Cells>
  void add(const MemoryAccess& access, Cells& cells) {
    sums_of(access, cells).add(access);
  }
  // The sums of the group. Valid until the next call.
  template <typename Cells>
  AccessSums& sums_of(const MemoryAccess& access, Cells& cells) {
    AccessGroup group{.source = access.source_bits,
                      .event = access.event,
                      .has_address = access.address != 0,
                      .mapped = cells.mapped()};
    for (std::size_t i = 0; i < keys_.size(); i += 2) {
      const std::uint64_t second = i + 1 < keys_.size() ? cells.cell(keys_[i + 1]) : 0;
      group.cells[i / 2] = cells.cell(keys_[i]) | second << 32;
    }
    return sums_[group];
  }

  const Keys& keys() const { return keys_; }
  // Whether there are so many groups that a search for a group costs time.
  bool full() const { return sums_.size() >= most_groups; }
  // Calls take(group, sums) for each group, and removes the groups.
  template <typename Take>
  void drain(Take&& take) {
    for (const auto& [group, sums] : sums_) take(group, sums);
    sums_.clear();
  }

 private:
  struct Hash {
    std::size_t operator()(const AccessGroup& group) const {
      std::uint64_t hash = mix(group.source ^ odd_1, odd_2 ^ group.event);
      for (std::size_t i = 0; i < group.cells.size(); i += 2)
        hash = mix(hash ^ group.cells[i], group.cells[i + 1] ^ odd_3);
      return hash;
    }
  };
  static constexpr std::size_t most_groups = 1 << 15;

  Keys keys_;
  RecentMap<AccessGroup, AccessSums, Hash> sums_;
};

}  // namespace perfsift::analysis
