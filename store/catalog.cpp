#include "store/catalog.h"

#include <algorithm>
#include <set>
#include <span>

#include <fmt/format.h>

#include "store/engine/row_binary.h"
#include "store/load_tables.h"
#include "store/recording_changes.h"
#include "store/wanted_rows.h"

namespace perfsift::store {
namespace {

std::uint64_t number_of(Engine& engine, const std::string& sql, const Parameters& parameters = {}) {
  const std::string answer = engine.query(sql, parameters);
  return RowReader(answer).u64();
}

// The sum over all shards.
std::uint64_t sum_of(Engine& engine, const std::string& sql) {
  std::uint64_t sum = 0;
  for (const std::string& answer : engine.query_shards(sql)) sum += RowReader(answer).u64();
  return sum;
}

using NumbersByName = std::map<std::string, std::uint64_t>;

void add_numbers(const std::string& answer, NumbersByName& to) {
  for (RowReader row(answer); !row.at_end();) {
    std::string name(row.text());
    to[std::move(name)] += row.u64();
  }
}

NumbersByName numbers_by_name(Engine& engine, const std::string& sql, const Parameters& parameters) {
  NumbersByName numbers;
  add_numbers(engine.query(sql, parameters), numbers);
  return numbers;
}

NumbersByName sums_by_name(Engine& engine, const std::string& sql, const Parameters& parameters) {
  NumbersByName sums;
  for (const std::string& answer : engine.query_shards(sql, parameters)) add_numbers(answer, sums);
  return sums;
}

StoredRecording recording_in(RowReader& row) {
  StoredRecording recording{.id = row.id(), .load = row.u64()};
  for (std::size_t labels = row.elements(); labels != 0; --labels) {
    std::string name(row.text());
    recording.labels.emplace(std::move(name), row.text());
  }
  recording.path = row.text();
  recording.began = row.u64();
  recording.duration = row.u64();
  recording.added = row.u32();
  recording.samples = row.u64();
  recording.lost = row.u64();
  recording.bucket = row.u32();
  recording.recordings = row.u64();
  return recording;
}

// Samples that a recording counts as lost twice are so once: see analysis::Quality::all_lost().
constexpr const char* lost_by_load =
    "(SELECT load, sumIf(count, fact IN ('lost_samples', 'lost_records')) - sumIf(count, fact = "
    "'lost_records_told_twice') "
    "AS lost FROM quality GROUP BY load)";

// The loads of a shard's recordings, by their ids. 0: removed, and in no roll-up.
using LoadsById = std::map<Hash128, std::uint64_t>;

// The recordings that are not on all shards with the same load.
std::set<Hash128> disagreeing_recordings(Engine& engine) {
  std::vector<LoadsById> shards;
  for (const std::string& answer :
       engine.query_shards("SELECT id, if(removed AND NOT rolled_up, 0, load) FROM recordings FINAL")) {
    LoadsById& loads = shards.emplace_back();
    for (RowReader row(answer); !row.at_end();) {
      const Hash128 id = row.id();
      loads[id] = row.u64();
    }
  }
  std::set<Hash128> different;
  for (const LoadsById& shard : shards) {
    for (const auto& [id, load] : shard) {
      const bool is_everywhere = std::ranges::all_of(shards, [&, id = id, load = load](const LoadsById& other) {
        const auto there = other.find(id);
        return (there == other.end() ? 0 : there->second) == load;
      });
      if (!is_everywhere) different.insert(id);
    }
  }
  return different;
}

std::uint64_t newest_load(Engine& engine) {
  std::uint64_t newest = 0;
  for (const std::string& answer : engine.query_shards("SELECT max(load) FROM recordings"))
    newest = std::max(newest, RowReader(answer).u64());
  return newest;
}

// The samples that shards have, by load.
std::map<std::uint64_t, std::uint64_t> samples_by_load(Engine& engine) {
  std::map<std::uint64_t, std::uint64_t> samples;
  for (const std::string& answer : engine.query_shards(
           fmt::format("SELECT load, sum(samples) FROM samples WHERE load IN {} GROUP BY load", counted_loads))) {
    for (RowReader row(answer); !row.at_end();) {
      const std::uint64_t load = row.u64();
      samples[load] += row.u64();
    }
  }
  return samples;
}

// SQL: the stacks of all rows that count.
std::string all_stacks() {
  std::string sql;
  for (const LoadTable& each : load_tables) {
    if (each.table.divided_by.empty()) continue;
    sql += fmt::format("{}SELECT stack FROM {} WHERE load IN {}", sql.empty() ? "" : " UNION ALL ", each.table.name,
                       counted_loads);
  }
  return sql;
}

void find_differences(Engine& engine, StoreCheck& check) {
  const auto samples = samples_by_load(engine);
  const std::string recordings = engine.query(
      "SELECT if(bucket = 0, path, concat('roll-up of ', toString(began))), load, samples FROM recordings "
      "FINAL WHERE NOT removed ORDER BY 1");
  for (RowReader row(recordings); !row.at_end();) {
    StoreCheck::Difference difference{.path = std::string(row.text())};
    const auto here = samples.find(row.u64());
    difference.here = here != samples.end() ? here->second : 0;
    difference.added = row.u64();
    if (difference.added != difference.here) check.differences.push_back(std::move(difference));
  }
}

}  // namespace

std::vector<StoredRecording> list_recordings(Engine& engine, const Selection& selection) {
  const std::string answer = engine.query(
      fmt::format("SELECT id, load, labels, path, toUInt64(toUnixTimestamp64Nano(began)), duration, added, samples, "
                  "toUInt64(lost), bucket, recordings FROM (SELECT * FROM recordings FINAL WHERE {} AND {}) AS r "
                  "LEFT JOIN {} AS q USING load ORDER BY began, path, id",
                  condition_on_recordings, condition_on_beginnings, lost_by_load),
      selection.parameters());
  std::vector<StoredRecording> recordings;
  for (RowReader row(answer); !row.at_end();) recordings.push_back(recording_in(row));
  return recordings;
}

// The samples count nothing once the newest rows of their recordings say so. Only then their memory is given back. What
// was rolled up meanwhile is listed again.
std::uint64_t remove_recordings(Engine& engine, const Selection& selection) {
  constexpr unsigned most_tries = 5;
  std::uint64_t removed = 0;
  for (unsigned tries = 0; tries < most_tries; ++tries) {
    const std::vector<StoredRecording> recordings = list_recordings(engine, selection);
    if (recordings.empty()) break;
    std::vector<std::uint64_t> loads;
    for (const StoredRecording& recording : recordings) loads.push_back(recording.load);
    for (std::size_t begin = 0; begin < loads.size(); begin += most_loads) {
      const auto some = std::span(loads).subspan(begin, std::min(most_loads, loads.size() - begin));
      retire_loads(engine, some);
      delete_loads(engine, some);
    }
    if (tries == 0) {
      for (const StoredRecording& recording : recordings) removed += recording.recordings;
    }
  }
  return removed;
}

StoreSummary summarize(Engine& engine, const Selection& selection) {
  const Parameters parameters = selection.parameters();
  const KeptSelection kept(engine, selection);
  const std::string recordings = kept.selection().wanted_recordings();
  StoreSummary summary;
  summary.recordings = number_of(engine, "SELECT sum(recordings) FROM " + recordings, parameters);
  summary.samples = number_of(engine, "SELECT sum(samples) FROM " + recordings, parameters);
  summary.labels = numbers_by_name(
      engine,
      fmt::format(
          "SELECT label.1, uniqExact(label.2) FROM (SELECT arrayJoin(labels) AS label FROM {}) GROUP BY label.1",
          recordings),
      parameters);
  summary.events = sums_by_name(engine,
                                fmt::format("SELECT event, sum(samples) FROM samples WHERE load IN (SELECT load FROM "
                                            "{}) GROUP BY event",
                                            recordings),
                                parameters);
  summary.sample_rows = sum_of(engine, "SELECT count() FROM samples");
  summary.wait_rows = sum_of(engine, "SELECT count() FROM waits");
  summary.access_rows = sum_of(engine, "SELECT count() FROM accesses");
  summary.stacks = sum_of(engine, "SELECT uniqExact(id) FROM stacks");
  summary.functions = number_of(engine, "SELECT uniqExact(id) FROM functions");
  summary.bytes =
      sum_of(engine, "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = currentDatabase()");
  return summary;
}

StoreCheck check_store(Engine& engine) {
  StoreCheck check;
  find_differences(engine, check);
  check.missing_stacks =
      sum_of(engine,
             fmt::format("SELECT uniqExact(stack) FROM ({}) WHERE stack NOT IN (SELECT id FROM stacks)", all_stacks()));
  check.missing_functions = sum_of(engine,
                                   "SELECT uniqExact(function) FROM (SELECT arrayJoin(frames) AS function FROM stacks) "
                                   "WHERE function NOT IN (SELECT id FROM functions)");
  for (const LoadTable& each : load_tables) {
    if (each.table.divided_by.empty()) continue;
    check.rows_of_no_recording +=
        sum_of(engine, fmt::format("SELECT count() FROM {} WHERE load NOT IN {}", each.table.name, counted_loads));
  }
  check.disagreements = disagreeing_recordings(engine).size();
  check.without_roll_up = number_of(
      engine, fmt::format("SELECT count() FROM recordings FINAL WHERE rolled_up AND load NOT IN {}", counted_loads));
  return check;
}

void remove_broken_loads(Engine& engine) {
  complete_replacements(engine);
  std::string removed;
  const std::uint64_t newest = newest_load(engine);
  for (const Hash128& id : disagreeing_recordings(engine)) removed += removed_row(id, new_load(newest));
  engine.insert(recordings_table, removed);
  retire_lost(engine);
  for (const LoadTable& each : load_tables)
    engine.query_shards(fmt::format("DELETE FROM {} WHERE load NOT IN {}", each.table.name, counted_loads));
}

}  // namespace perfsift::store
