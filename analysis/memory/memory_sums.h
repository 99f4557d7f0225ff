// Adds up memory accesses, one by one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/memory/memory_access.h"
#include "analysis/memory/memory_report.h"
#include "analysis/samples/frame_table.h"

namespace perfsift::analysis {

// Not thread-safe. One for each thread collects; add() joins them.
class MemorySums {
 public:
  static constexpr std::size_t most_keys = 8;  // of one table

  explicit MemorySums(std::size_t tables) : rows_(tables) {}

  // `mapped`: code and data lie in mappings; cell(key): the number of the access's text for a key. True if the access
  // counts for a cache line: see AccessCounts::add().
  template <typename Cell>
  bool add(const MemoryAccess& access, bool mapped, const std::vector<MemoryKeys>& tables, Cell&& cell) {
    for (std::size_t i = 0; i < tables.size(); ++i) {
      RowKey key{};
      for (std::size_t k = 0; k < tables[i].size(); ++k) key[k] = cell(tables[i][k]);
      count(access, rows_[i][key]);
    }
    return add_to_all(access, mapped);
  }
  // The nodes of the data's page and of the CPU, of each access.
  void add_nodes(const std::optional<std::uint32_t>& data, const std::optional<std::uint32_t>& cpu);
  // The event of each access.
  void note_event(const reader::Event& event) {
    if (&event != latest_event_) report_.events.insert(event.index);
    latest_event_ = &event;
  }
  // A sample that is no memory access.
  void skip() { ++report_.skipped; }
  void add(const MemorySums& other);
  std::uint64_t accesses() const { return report_.all.amount.samples; }

  MemoryReport finish(const std::vector<MemoryKeys>& tables, MemoryOrder order, const FrameTable& texts) &&;

 private:
  using RowKey = std::array<FrameId, most_keys>;  // unused places are 0
  struct Hash {
    std::size_t operator()(const RowKey& key) const;
  };
  using Rows = std::unordered_map<RowKey, AccessSums, Hash>;

  static void count(const MemoryAccess& access, AccessSums& sums);
  static MemoryTable table_of(const MemoryKeys& keys, Rows&& rows, MemoryOrder order, const FrameTable& texts);
  bool add_to_all(const MemoryAccess& access, bool mapped);

  MemoryReport report_;  // without tables
  std::vector<Rows> rows_;
  const reader::Event* latest_event_ = nullptr;
};

}  // namespace perfsift::analysis
