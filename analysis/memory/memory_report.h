// Sums of memory accesses: the total, and the rows of tables.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/memory/access_counts.h"
#include "analysis/memory/memory_access.h"
#include "analysis/memory/unknown_values.h"
#include "analysis/profile/amount.h"
#include "analysis/table/key.h"
#include "base/distribution.h"

namespace perfsift::analysis {

// Sums of accesses.
struct AccessSums {
  Amount amount;  // accesses, and their weight: the latency, or 1 without a latency, as in perf mem report
  std::uint64_t loads = 0;
  std::uint64_t stores = 0;
  Distribution latency;  // latencies, of the accesses that have one

  void add(const MemoryAccess& access);
  void add(const AccessSums& other);
  // Several accesses that differ only in their latencies: see MemorySums::add().
  void add(const MemoryAccess& access, const Amount& of_all);
};

inline void AccessSums::add(const MemoryAccess& access) {
  amount += {.samples = 1, .value = access.weight()};
  if (access.is_load()) ++loads;
  if (access.is_store()) ++stores;
  if (access.latency != 0) latency.add(access.latency);
}

struct MemoryRow {
  std::vector<std::string_view> cells;  // one for each key
  AccessSums sums;
};

struct MemoryTable {
  Keys keys;
  std::vector<MemoryRow> rows;  // largest first
};

// The amount by which rows are sorted.
enum class MemoryOrder : std::uint8_t { weight, samples };

struct MemoryReport {
  AccessCounts counts;
  UnknownValues unknown;
  AccessSums all;
  std::uint64_t local = 0, remote = 0;  // accesses known to be local or remote
  // Numbers of accesses by whether the CPU and the data's page are on the same node.
  std::uint64_t on_own_node = 0, on_other_node = 0, node_unknown = 0;
  std::uint64_t skipped = 0;        // samples that are not memory accesses
  std::set<std::uint32_t> events;   // the indices of events with accesses
  std::vector<MemoryTable> tables;  // in the order of the options
};

}  // namespace perfsift::analysis
