// Changes of which loads count.
//
// A change is one statement that reads rows of the table recordings and writes newer ones. No two of these statements
// run at the same time, so each finds the rows as another one left them, and what it does depends on what it finds. The
// first shard decides; then its rows are copied to the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "store/engine/engine.h"

namespace perfsift::store {

// In one statement: a load has up to 20 digits, and stands in an address of less than 64 KiB, which most proxies take.
inline constexpr std::size_t most_loads = 1'000;

// A load that takes the place of others.
struct ReplacedLoads {
  std::uint64_t load = 0;               // larger than `replaced`
  std::vector<std::uint64_t> replaced;  // of recordings that count and have equal labels
};
// Makes each of the loads count instead of those that it replaces, if all of these count still. Returns the loads that
// count now. At most most_loads are replaced together. `seconds`: of a row of samples.
std::vector<std::uint64_t> replace_loads(Engine& engine, std::span<const ReplacedLoads> loads, std::uint32_t seconds);

// Makes these loads count nothing, with all recordings that were rolled up into them. Loads that were replaced
// meanwhile stay.
void retire_loads(Engine& engine, std::span<const std::uint64_t> loads);
// Deletes their rows from all tables but recordings. Loads that count must not be among them.
void delete_loads(Engine& engine, std::span<const std::uint64_t> loads);
// Deletes their rows from one table.
void delete_rows(Engine& engine, const TableColumns& table, std::span<const std::uint64_t> loads);

// On how many shards a load counts, of the loads that a condition on the table recordings chooses.
std::map<std::uint64_t, std::size_t> shards_by_load(Engine& engine, std::string_view condition);
// Ends changes that broke off between shards, where loads were replaced.
void complete_replacements(Engine& engine);
// Retires recordings that were rolled up into a load that is not there.
void retire_lost(Engine& engine);

}  // namespace perfsift::store
