#include "store/recording_changes.h"

#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

#include "store/engine/row_binary.h"
#include "store/load_tables.h"
#include "store/recording_rows.h"
#include "store/wanted_rows.h"

namespace perfsift::store {
namespace {

constexpr const char* all_columns =
    "id, load, removed, labels, path, began, duration, added, samples, rolled_up, bucket, recordings";
// All rows of an insert become one part of the table, which is there as a whole or not at all.
constexpr const char* in_one_part =
    "SETTINGS max_insert_threads = 1, min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 0";

std::vector<std::uint64_t> numbers_in(const std::string& answer) {
  std::vector<std::uint64_t> numbers;
  for (RowReader row(answer); !row.at_end();) numbers.push_back(row.u64());
  return numbers;
}

Parameters parameters_of(std::span<const std::uint64_t> loads) {
  Parameters parameters;
  parameters.numbers("loads", loads);
  return parameters;
}

// SQL: a row of a recording that counts nothing any more. Each column has a name of its own, as a union of rows needs
// it.
std::string row_that_counts_nothing(std::string_view load, bool rolled_up) {
  return fmt::format(
      "SELECT id, {} AS version, true AS is_removed, CAST(map(), 'Map(LowCardinality(String), String)') AS no_labels, "
      "'' AS no_path, toDateTime64(0, 9, 'UTC') AS no_beginning, toUInt64(0) AS no_duration, added, "
      "toUInt64(0) AS no_samples, {} AS is_rolled_up, toUInt32(0) AS no_bucket, toUInt64(1) AS one",
      load, rolled_up);
}

// Rows of each recording that is replaced, and one of each load that replaces them. The table finds the rows by their
// loads: those of the recordings that are in an earlier roll-up are there, too.
std::string replacing_sql() {
  const std::string members =
      "(SELECT *, transform(load, {loads:Array(UInt64)}, {replaced_by:Array(UInt64)}, toUInt64(0)) AS new_load FROM "
      "recordings FINAL WHERE load IN {loads:Array(UInt64)} AND (NOT removed OR rolled_up))";
  const std::string whole = fmt::format(
      "(SELECT new_load FROM {} WHERE NOT removed GROUP BY new_load "
      "HAVING count() = transform(new_load, {{new_loads:Array(UInt64)}}, {{sizes:Array(UInt64)}}, toUInt64(0)))",
      members);
  return fmt::format(
      "INSERT INTO recordings ({0}) SELECT * FROM ({1} FROM {2} WHERE new_load IN {3} UNION ALL "
      "SELECT toUInt128(new_load), new_load, false, any(labels), '', min(began), sum(duration), max(added), "
      "sum(samples), false, {{seconds:UInt32}}, sum(recordings) FROM {2} WHERE NOT removed AND new_load IN {3} "
      "GROUP BY new_load) ORDER BY 1 {4}",
      all_columns, row_that_counts_nothing("new_load", true), members, whole, in_one_part);
}

// Gives all shards the rows of these loads.
void copy_rows(Engine& engine, std::span<const std::uint64_t> loads) {
  if (engine.shards() == 1 || loads.empty()) return;
  std::string rows;
  for (const std::string& answer : engine.query_shards(
           fmt::format("SELECT {} FROM recordings FINAL WHERE load IN {{loads:Array(UInt64)}}", all_columns),
           parameters_of(loads)))
    rows += answer;
  engine.insert(recordings_table, rows);
}

}  // namespace

// A statement that is repeated after its answer was lost finds no row to replace, so its effect is asked for.
std::vector<std::uint64_t> replace_loads(Engine& engine, std::span<const ReplacedLoads> loads, std::uint32_t seconds) {
  std::vector<std::uint64_t> replaced, replaced_by, new_loads, sizes;
  for (const ReplacedLoads& each : loads) {
    new_loads.push_back(each.load);
    sizes.push_back(each.replaced.size());
    replaced.insert(replaced.end(), each.replaced.begin(), each.replaced.end());
    replaced_by.resize(replaced.size(), each.load);
  }
  Parameters parameters = parameters_of(replaced);
  parameters.numbers("replaced_by", replaced_by);
  parameters.numbers("new_loads", new_loads);
  parameters.numbers("sizes", sizes);
  parameters.number("seconds", seconds);
  engine.query_alone(replacing_sql(), parameters);
  std::vector<std::uint64_t> counted = numbers_in(engine.query(
      "SELECT load FROM recordings FINAL WHERE NOT removed AND load IN {loads:Array(UInt64)} ORDER BY load",
      parameters_of(new_loads)));
  copy_rows(engine, counted);
  return counted;
}

void retire_loads(Engine& engine, std::span<const std::uint64_t> loads) {
  if (loads.empty()) return;
  const std::uint64_t version = new_load(*std::ranges::max_element(loads));
  Parameters parameters = parameters_of(loads);
  parameters.number("version", version);
  engine.query_alone(fmt::format("INSERT INTO recordings ({}) {} FROM recordings FINAL WHERE load IN "
                                 "{{loads:Array(UInt64)}} AND (NOT removed OR rolled_up) {}",
                                 all_columns, row_that_counts_nothing("{version:UInt64}", false), in_one_part),
                     parameters);
  copy_rows(engine, std::span(&version, 1));
}

void delete_loads(Engine& engine, std::span<const std::uint64_t> loads) {
  for (const LoadTable& each : load_tables) delete_rows(engine, each.table, loads);
}

void delete_rows(Engine& engine, const TableColumns& table, std::span<const std::uint64_t> loads) {
  engine.query_shards(fmt::format("DELETE FROM {} WHERE load IN {{loads:Array(UInt64)}}", table.name),
                      parameters_of(loads));
}

std::map<std::uint64_t, std::size_t> shards_by_load(Engine& engine, std::string_view condition) {
  std::map<std::uint64_t, std::size_t> shards;
  for (const std::string& answer :
       engine.query_shards(fmt::format("SELECT load FROM recordings FINAL WHERE NOT removed AND {}", condition))) {
    for (const std::uint64_t load : numbers_in(answer)) ++shards[load];
  }
  return shards;
}

// The samples of a replacing load are on all shards before the first one knows that it counts.
void complete_replacements(Engine& engine) {
  if (engine.shards() == 1) return;
  std::vector<std::uint64_t> incomplete;
  for (const auto& [load, shards] : shards_by_load(engine, "bucket != 0")) {
    if (shards < engine.shards()) incomplete.push_back(load);
  }
  for (std::size_t begin = 0; begin < incomplete.size(); begin += most_loads)
    copy_rows(engine, std::span(incomplete).subspan(begin, std::min(most_loads, incomplete.size() - begin)));
}

void retire_lost(Engine& engine) {
  retire_loads(engine, numbers_in(engine.query(fmt::format(
                           "SELECT DISTINCT load FROM recordings FINAL WHERE rolled_up AND load NOT IN {} LIMIT {}",
                           counted_loads, most_loads))));
}

}  // namespace perfsift::store
