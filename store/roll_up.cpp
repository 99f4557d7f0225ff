#include "store/roll_up.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "store/engine/row_binary.h"
#include "store/load_tables.h"
#include "store/recording_changes.h"
#include "store/wanted_rows.h"

namespace perfsift::store {
namespace {

// Of groups that a statement adds up.
constexpr std::uint64_t most_samples = 20'000'000;
// Larger sums go to disk before they are written: rows of which no two add up would take a gigabyte otherwise.
constexpr std::uint64_t most_bytes_of_sums = 200'000'000;

// The loads of recordings with equal labels that began in the same time.
struct Group {
  std::vector<std::uint64_t> loads;
  std::uint64_t samples = 0;
};

// Groups in which something is to be rolled up: a recording, or a roll-up with shorter times. One that is alone has
// rows to add up only if it lasted longer than a row or two: others would be written again as they are, each night.
std::vector<Group> groups_to_roll_up(Engine& engine, const Selection& selection, const RollUpOptions& options) {
  Parameters parameters = selection.parameters();
  parameters.number("seconds", options.seconds);
  parameters.number("before", options.before);
  parameters.number("row", seconds_of_row);
  const std::string answer = engine.query(
      fmt::format("SELECT groupArray(load), sum(samples) FROM (SELECT load, samples, bucket, duration, "
                  "mapKeys(labels) AS names, mapValues(labels) AS texts, "
                  "intDiv(toUnixTimestamp64Nano(began), toInt64({{seconds:UInt32}}) * 1000000000) AS place "
                  "FROM recordings FINAL WHERE {} AND {} AND toUInt32(added) <= {{before:UInt32}} "
                  "AND {{seconds:UInt32}} % greatest(bucket, 1) = 0) GROUP BY names, texts, place "
                  "HAVING (place + 1) * {{seconds:UInt32}} <= {{before:UInt32}} AND min(bucket) < {{seconds:UInt32}} "
                  "AND (count() > 1 OR max(duration) >= 2000000000 * toUInt64(greatest(max(bucket), {{row:UInt32}}))) "
                  "ORDER BY place",
                  condition_on_recordings, condition_on_beginnings),
      parameters);
  std::vector<Group> groups;
  for (RowReader row(answer); !row.at_end();) {
    Group& group = groups.emplace_back();
    for (std::size_t loads = row.elements(); loads != 0; --loads) group.loads.push_back(row.u64());
    group.samples = row.u64();
  }
  return groups;
}

// Leaves out groups of which a load does not count on all shards, as an addition or a removal runs.
void keep_agreed(Engine& engine, std::vector<Group>& groups) {
  if (engine.shards() == 1) return;
  std::map<std::uint64_t, std::size_t> shards = shards_by_load(engine, "true");
  std::erase_if(groups, [&](const Group& group) {
    return !std::ranges::all_of(group.loads, [&](std::uint64_t load) { return shards[load] == engine.shards(); });
  });
}

// Adds up the rows of loads as those of the loads that replace them.
class Sums {
 public:
  Sums(Engine& engine, std::span<const ReplacedLoads> loads, std::uint32_t seconds) : engine_(engine) {
    for (const ReplacedLoads& each : loads) {
      new_loads_.push_back(each.load);
      loads_.insert(loads_.end(), each.replaced.begin(), each.replaced.end());
      replaced_by_.resize(loads_.size(), each.load);
    }
    parameters_.numbers("loads", loads_);
    parameters_.numbers("replaced_by", replaced_by_);
    parameters_.numbers("new_loads", new_loads_);
    parameters_.number("seconds", seconds);
  }

  // Returns whether each new load has the sums of those that it replaces.
  bool insert(RolledUp& rows) {
    return std::ranges::all_of(load_tables, [&](const LoadTable& each) { return insert_into(each, rows); });
  }
  // Deletes the rows that count nothing: `counted` are the new loads that count.
  void delete_rest(std::span<const std::uint64_t> counted) {
    const auto counts = [&](std::uint64_t load) { return std::ranges::binary_search(counted, load); };
    std::vector<std::uint64_t> rest;
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      if (counts(replaced_by_[i])) rest.push_back(loads_[i]);
    }
    std::ranges::copy_if(new_loads_, std::back_inserter(rest), [&](std::uint64_t load) { return !counts(load); });
    delete_loads(engine_, rest);
  }

 private:
  // An insert of which the answer was lost has been repeated, and its rows count twice: they are deleted and inserted
  // again. Where others remove the same recordings, that does not help.
  bool insert_into(const LoadTable& each, RolledUp& rows) {
    constexpr unsigned most_attempts = 4;
    for (unsigned attempt = 0; attempt < most_attempts; ++attempt) {
      if (attempt != 0) delete_rows(engine_, each.table, new_loads_);
      engine_.query_shards(inserting_sql(each), parameters_);
      if (each.sums.empty() || is_right(each, rows)) return true;
    }
    return false;
  }

  // Counts the rows of samples, if they are right.
  bool is_right(const LoadTable& each, RolledUp& rows) {
    std::uint64_t before = 0, after = 0, different = 0;
    for (const std::string& answer : engine_.query_shards(checking_sql(each), parameters_)) {
      RowReader row(answer);
      before += row.u64();
      after += row.u64();
      different += row.u64();
    }
    if (different != 0) return false;
    if (&each.table == &samples_table) rows.rows_before += before, rows.rows += after;
    return true;
  }

  static constexpr const char* new_load_ =
      "transform(load, {loads:Array(UInt64)}, {replaced_by:Array(UInt64)}, toUInt64(0))";

  // A sum that does not fit into 64 bits is an error. Rows with large values, as of damaged recordings, are not added
  // up.
  static std::string inserting_sql(const LoadTable& each) {
    std::string columns(each.keys), keys(each.keys), values;
    if (each.has_time) columns += ", time", keys += ", bucket";
    for (const std::string_view sum : each.sums) {
      columns += fmt::format(", {}", sum);
      values += fmt::format(", accurateCast(sum(toUInt128({})), 'UInt64')", sum);
    }
    if (!each.smallest.empty())
      columns += fmt::format(", {}", each.smallest), values += fmt::format(", min({})", each.smallest);
    if (!each.largest.empty())
      columns += fmt::format(", {}", each.largest), values += fmt::format(", max({})", each.largest);
    const std::string large = each.sums.empty() ? "toUInt64(0)"
                                                : fmt::format(
                                                      "if(greatest({0}, toUInt64(0)) >= bitShiftLeft(toUInt64(1), 48), "
                                                      "sipHash64(load{1}, {0}), 0)",
                                                      fmt::join(each.sums, ", "), each.has_time ? ", time" : "");
    return fmt::format(
        "INSERT INTO {} ({}, load) SELECT {}{}, new_load FROM (SELECT *, {} AS new_load, {} AS large{} FROM {} "
        "WHERE load IN {{loads:Array(UInt64)}}) GROUP BY {}, new_load, large "
        "SETTINGS max_partitions_per_insert_block = 0, max_bytes_before_external_group_by = {}",
        each.table.name, columns, keys, values, new_load_, large,
        each.has_time ? ", toDateTime(intDiv(toUInt32(time), {seconds:UInt32}) * {seconds:UInt32}, 'UTC') AS bucket"
                      : "",
        each.table.name, keys, most_bytes_of_sums);
  }

  static std::string checking_sql(const LoadTable& each) {
    std::vector<std::string> differences;
    for (const std::string_view sum : each.sums)
      differences.push_back(fmt::format("sumIf(toUInt128({0}), is_new) != sumIf(toUInt128({0}), NOT is_new)", sum));
    return fmt::format(
        "SELECT sum(before), sum(after), countIf(differs) FROM (SELECT countIf(NOT is_new) AS before, countIf(is_new) "
        "AS "
        "after, {} AS differs FROM (SELECT {}, load IN {{new_loads:Array(UInt64)}} AS is_new, if(is_new, load, {}) AS "
        "new_load FROM {} WHERE load IN {{loads:Array(UInt64)}} OR load IN {{new_loads:Array(UInt64)}}) GROUP BY "
        "new_load)",
        fmt::join(differences, " OR "), fmt::join(each.sums, ", "), new_load_, each.table.name);
  }

  Engine& engine_;
  std::vector<std::uint64_t> loads_, replaced_by_, new_loads_;
  Parameters parameters_;
};

std::vector<ReplacedLoads> replacements_of(std::span<const Group> groups) {
  std::vector<ReplacedLoads> replacements;
  for (const Group& group : groups)
    replacements.push_back({.load = new_load(*std::ranges::max_element(group.loads)), .replaced = group.loads});
  return replacements;
}

// Returns whether a group was rolled up. Not if others remove or roll up the same recordings.
bool roll_up_groups(Engine& engine, std::span<const Group> groups, std::uint32_t seconds, RolledUp& done) {
  const std::vector<ReplacedLoads> replacements = replacements_of(groups);
  Sums sums(engine, replacements, seconds);
  RolledUp rows;
  std::vector<std::uint64_t> counted;
  if (sums.insert(rows)) counted = replace_loads(engine, replacements, seconds);
  sums.delete_rest(counted);
  if (counted.empty()) return false;
  done.rows += rows.rows;
  done.rows_before += rows.rows_before;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (!std::ranges::binary_search(counted, replacements[i].load)) continue;
    done.recordings += groups[i].loads.size();
    ++done.roll_ups;
  }
  return true;
}

// The first groups, of which a statement can name the loads. Of a large group, a part: the rest is for the next time.
std::vector<Group> next_batch(std::vector<Group>& groups) {
  std::vector<Group> batch;
  std::size_t loads = 0;
  std::uint64_t samples = 0;
  while (!groups.empty()) {
    Group& group = groups.back();
    if (group.loads.size() > most_loads) group.loads.resize(most_loads);
    loads += group.loads.size();
    samples += group.samples;
    if (!batch.empty() && (loads > most_loads || samples > most_samples)) break;
    batch.push_back(std::move(group));
    groups.pop_back();
  }
  return batch;
}

}  // namespace

RolledUp roll_up(Engine& engine, const Selection& selection, const RollUpOptions& options) {
  constexpr unsigned most_failures = 5;
  RolledUp done;
  complete_replacements(engine);
  for (unsigned failures = 0; failures < most_failures; ++failures) {
    std::vector<Group> groups = groups_to_roll_up(engine, selection, options);
    keep_agreed(engine, groups);
    if (groups.empty()) return done;
    while (!groups.empty()) {
      if (roll_up_groups(engine, next_batch(groups), options.seconds, done)) failures = 0;
    }
  }
  throw InputError("others change the recordings that are to be rolled up: try again");
}

}  // namespace perfsift::store
