#include "analysis/memory/memory_sums.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace perfsift::analysis {

std::size_t MemorySums::Hash::operator()(const RowKey& key) const {
  std::uint64_t hash = odd_1;
  for (std::size_t i = 0; i < key.size(); i += 2) hash = mix(hash ^ key[i], odd_2 ^ std::uint64_t{key[i + 1]} << 32);
  return hash;
}

void MemorySums::count(const MemoryAccess& access, AccessSums& sums) {
  sums.amount += {.samples = 1, .value = access.weight()};
  if (access.is_load()) ++sums.loads;
  if (access.is_store()) ++sums.stores;
  if (access.latency != 0) sums.latency.add(access.latency);
}

bool MemorySums::add_to_all(const MemoryAccess& access, bool mapped) {
  count(access, report_.all);
  report_.unknown.add(access.source);
  const bool level_known = (levels_of(access.source) & DataSource::all_levels) != 0 || access.source.has_number();
  if (level_known) ++(is_remote(access.source) ? report_.remote : report_.local);
  return report_.counts.add(access.source, access.address, mapped);
}

void MemorySums::add_nodes(const std::optional<std::uint32_t>& data, const std::optional<std::uint32_t>& cpu) {
  ++(!data || !cpu ? report_.node_unknown : *data == *cpu ? report_.on_own_node : report_.on_other_node);
}

void MemorySums::add(const MemorySums& other) {
  const MemoryReport& more = other.report_;
  report_.counts.add(more.counts);
  report_.unknown.add(more.unknown);
  report_.all.add(more.all);
  report_.local += more.local;
  report_.remote += more.remote;
  report_.on_own_node += more.on_own_node;
  report_.on_other_node += more.on_other_node;
  report_.node_unknown += more.node_unknown;
  report_.skipped += more.skipped;
  report_.events.insert(more.events.begin(), more.events.end());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (const auto& [key, row] : other.rows_[i]) rows_[i][key].add(row);
  }
}

MemoryTable MemorySums::table_of(const MemoryKeys& keys, Rows&& rows, MemoryOrder order, const FrameTable& texts) {
  MemoryTable table{.keys = keys, .rows = {}};
  for (auto& [key, sums] : rows) {
    MemoryRow row{.cells = {}, .sums = std::move(sums)};
    for (std::size_t i = 0; i < keys.size(); ++i) row.cells.push_back(texts.text(key[i]));
    table.rows.push_back(std::move(row));
  }
  std::ranges::sort(table.rows, [&](const MemoryRow& a, const MemoryRow& b) {
    const auto rank = [&](const Amount& amount) {
      return order == MemoryOrder::weight ? std::pair(amount.value, amount.samples)
                                          : std::pair(amount.samples, amount.value);
    };
    const auto of_a = rank(a.sums.amount), of_b = rank(b.sums.amount);
    return of_a != of_b ? of_a > of_b : a.cells < b.cells;
  });
  return table;
}

MemoryReport MemorySums::finish(const std::vector<MemoryKeys>& tables, MemoryOrder order, const FrameTable& texts) && {
  for (std::size_t i = 0; i < tables.size(); ++i)
    report_.tables.push_back(table_of(tables[i], std::move(rows_[i]), order, texts));
  return std::move(report_);
}

}  // namespace perfsift::analysis
