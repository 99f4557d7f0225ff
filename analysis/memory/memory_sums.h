// Sums memory accesses: the total, and the rows of tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/memory/access_groups.h"
#include "analysis/memory/memory_access.h"
#include "analysis/memory/memory_report.h"
#include "analysis/memory/node_match.h"
#include "analysis/samples/frame_table.h"

namespace perfsift::analysis {

// Each collecting thread has its own object, and add() joins them. Not thread-safe.
class MemorySums {
 public:
  static constexpr std::size_t most_keys =
      AccessGroup::most_cells;  // keys of all tables together, without those of the data source

  // `texts` must live longer. Threads may share it.
  MemorySums(const std::vector<Keys>& tables, FrameTable& texts);

  // `cells` holds the access: see AccessGroups.
  template <typename Cells>
  void add(const MemoryAccess& access, Cells& cells) {
    if (groups_.full()) settle();
    groups_.add(access, cells);
    ++accesses_;
  }
  // Adds several accesses that differ only in their latencies, whose mean is that of `access`. `amount`: their number
  // and their weight.
  template <typename Cells>
  void add(const MemoryAccess& access, Cells& cells, const Amount& amount) {
    if (groups_.full()) settle();
    groups_.sums_of(access, cells).add(access, amount);
    accesses_ += amount.samples;
  }
  // Counts accesses by the nodes of their CPUs and pages.
  void add_nodes(NodeMatch match, std::uint64_t accesses = 1);
  // Counts a sample that is not a memory access.
  void skip() { ++report_.skipped; }
  // `other`: sums with the same tables and texts.
  void add(MemorySums&& other);
  std::uint64_t accesses() const { return accesses_; }

  MemoryReport finish(MemoryOrder order) &&;

 private:
  using RowKey = std::array<FrameId, most_keys>;  // unused places are 0
  struct Hash {
    std::size_t operator()(const RowKey& key) const;
  };
  using Rows = std::unordered_map<RowKey, AccessSums, Hash>;

  // Moves the groups to the report and the rows.
  void settle();
  void add_to_report(const AccessGroup& group, const AccessSums& sums);
  void add_to_rows(const AccessGroup& group, const AccessSums& sums);
  MemoryTable table_of(const Keys& keys, Rows&& rows, MemoryOrder order) const;

  std::vector<Keys> tables_;
  FrameTable* texts_;
  AccessGroups groups_;
  std::uint64_t accesses_ = 0;
  MemoryReport report_;  // its tables are empty
  std::vector<Rows> rows_;
};

}  // namespace perfsift::analysis
