#include "analysis/memory/memory_sums.h"

#include <algorithm>
#include <utility>

#include "analysis/memory/data_source_text.h"
#include "analysis/table/sorted_rows.h"
#include "base/hash.h"

namespace perfsift::analysis {
namespace {

// The keys of all tables whose texts each access needs.
Keys asked_of_each(const std::vector<Keys>& tables) {
  Keys keys;
  for (const Keys& table : tables) {
    for (const Key key : table) {
      if (!is_of_source(key) && std::ranges::count(keys, key) == 0) keys.push_back(key);
    }
  }
  return keys;
}

}  // namespace

MemorySums::MemorySums(const std::vector<Keys>& tables, FrameTable& texts)
    : tables_(tables), texts_(&texts), groups_(asked_of_each(tables)), rows_(tables.size()) {}

std::size_t MemorySums::Hash::operator()(const RowKey& key) const {
  std::uint64_t hash = odd_1;
  for (std::size_t i = 0; i < key.size(); i += 2) hash = mix(hash ^ key[i], odd_2 ^ std::uint64_t{key[i + 1]} << 32);
  return hash;
}

void MemorySums::settle() {
  groups_.drain([&](const AccessGroup& group, const AccessSums& sums) {
    add_to_report(group, sums);
    add_to_rows(group, sums);
  });
}

void MemorySums::add_to_report(const AccessGroup& group, const AccessSums& sums) {
  const DataSource source(group.source);
  const std::uint64_t accesses = sums.amount.samples;
  AccessCounts of_one;
  of_one.add(source, group.has_address, group.mapped);
  report_.counts.add(of_one, accesses);
  report_.unknown.add(source, accesses);
  report_.all.add(sums);
  report_.events.insert(group.event);
  const bool level_known = (levels_of(source) & DataSource::all_levels) != 0 || source.has_number();
  if (level_known) (is_remote(source) ? report_.remote : report_.local) += accesses;
}

void MemorySums::add_to_rows(const AccessGroup& group, const AccessSums& sums) {
  const auto text_of = [&](Key key) {
    if (is_of_source(key)) return texts_->intern(part_text(key, DataSource(group.source)));
    const auto place = std::ranges::find(groups_.keys(), key);
    return group.cell(static_cast<std::size_t>(place - groups_.keys().begin()));
  };
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    RowKey row{};
    std::ranges::transform(tables_[i], row.begin(), text_of);
    rows_[i][row].add(sums);
  }
}

void MemorySums::add_nodes(NodeMatch match, std::uint64_t accesses) {
  (match == NodeMatch::unknown ? report_.node_unknown
   : match == NodeMatch::own   ? report_.on_own_node
                               : report_.on_other_node) += accesses;
}

void MemorySums::add(MemorySums&& other) {
  settle();
  other.settle();
  const MemoryReport& more = other.report_;
  accesses_ += other.accesses_;
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

MemoryTable MemorySums::table_of(const Keys& keys, Rows&& rows, MemoryOrder order) const {
  MemoryTable table{.keys = keys, .rows = {}};
  for (auto& [key, sums] : rows) {
    MemoryRow row{.cells = {}, .sums = std::move(sums)};
    for (std::size_t i = 0; i < keys.size(); ++i) row.cells.push_back(texts_->text(key[i]));
    table.rows.push_back(std::move(row));
  }
  sort_rows(table.rows, [&](const MemoryRow& row) {
    const Amount& amount = row.sums.amount;
    return order == MemoryOrder::weight ? std::pair(amount.value, amount.samples)
                                        : std::pair(amount.samples, amount.value);
  });
  return table;
}

MemoryReport MemorySums::finish(MemoryOrder order) && {
  settle();
  for (std::size_t i = 0; i < tables_.size(); ++i)
    report_.tables.push_back(table_of(tables_[i], std::move(rows_[i]), order));
  return std::move(report_);
}

}  // namespace perfsift::analysis
