#include "store/catalog.h"

#include <ctime>
#include <limits>

#include <fmt/format.h>

#include "store/engine/row_binary.h"

namespace perfsift::store {
namespace {

constexpr const char* counted_loads = "(SELECT load FROM recordings FINAL WHERE NOT removed)";

std::uint64_t number_of(Engine& engine, const std::string& sql, const Parameters& parameters = {}) {
  const std::string answer = engine.query(sql, parameters);
  return RowReader(answer).u64();
}

std::map<std::string, std::uint64_t> numbers_by_name(Engine& engine, const std::string& sql,
                                                     const Parameters& parameters) {
  std::map<std::string, std::uint64_t> numbers;
  const std::string answer = engine.query(sql, parameters);
  for (RowReader row(answer); !row.at_end();) {
    std::string name(row.text());
    numbers[std::move(name)] = row.u64();
  }
  return numbers;
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
  return recording;
}

// Samples that a recording counts as lost twice are so once: see analysis::Quality::all_lost().
constexpr const char* lost_by_load =
    "(SELECT load, sumIf(count, fact IN ('lost_samples', 'lost_records')) - sumIf(count, fact = "
    "'lost_records_told_twice') "
    "AS lost FROM quality GROUP BY load)";

}  // namespace

std::vector<StoredRecording> list_recordings(Engine& engine, const Selection& selection) {
  const std::string answer = engine.query(
      fmt::format("SELECT id, load, labels, path, toUInt64(toUnixTimestamp64Nano(began)), duration, added, samples, "
                  "toUInt64(lost) FROM (SELECT * FROM recordings FINAL WHERE {} AND "
                  "toUnixTimestamp64Nano(began) >= {{from:UInt32}} * 1000000000 AND "
                  "toUnixTimestamp64Nano(began) < {{to:UInt32}} * 1000000000) AS r LEFT JOIN {} AS q USING load "
                  "ORDER BY began, path, id",
                  condition_on_recordings, lost_by_load),
      selection.parameters());
  std::vector<StoredRecording> recordings;
  for (RowReader row(answer); !row.at_end();) recordings.push_back(recording_in(row));
  return recordings;
}

// The samples count nothing once the newest rows of their recordings say so. Only then their memory is given back.
void remove_recordings(Engine& engine, const std::vector<StoredRecording>& recordings) {
  if (recordings.empty()) return;
  std::string rows;
  std::vector<std::uint64_t> loads;
  for (const StoredRecording& recording : recordings) {
    rows += removed_row(recording.id, new_load());
    loads.push_back(recording.load);
  }
  engine.insert(recordings_table, rows);
  Parameters parameters;
  parameters.numbers("loads", loads);
  for (const TableColumns* const table : {&samples_table, &events_table, &quality_table})
    engine.query(fmt::format("DELETE FROM {} WHERE load IN {{loads:Array(UInt64)}}", table->name), parameters);
}

StoreSummary summarize(Engine& engine, const Selection& selection) {
  const Parameters parameters = selection.parameters();
  const std::string recordings = fmt::format("recordings FINAL WHERE {}", condition_on_recordings);
  StoreSummary summary;
  summary.recordings = number_of(engine, "SELECT count() FROM " + recordings, parameters);
  summary.samples = number_of(engine, "SELECT sum(samples) FROM " + recordings, parameters);
  summary.labels = numbers_by_name(
      engine,
      fmt::format(
          "SELECT label.1, uniqExact(label.2) FROM (SELECT arrayJoin(labels) AS label FROM {}) GROUP BY label.1",
          recordings),
      parameters);
  summary.events =
      numbers_by_name(engine,
                      fmt::format("SELECT event, sum(samples) FROM samples WHERE load IN (SELECT load FROM "
                                  "{}) GROUP BY event",
                                  recordings),
                      parameters);
  summary.sample_rows = number_of(engine, "SELECT count() FROM samples");
  summary.stacks = number_of(engine, "SELECT uniqExact(id) FROM stacks");
  summary.functions = number_of(engine, "SELECT uniqExact(id) FROM functions");
  summary.bytes =
      number_of(engine, "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = currentDatabase()");
  return summary;
}

StoreCheck check_store(Engine& engine) {
  StoreCheck check;
  const std::string differences = engine.query(
      "SELECT path, r.samples, s.here FROM (SELECT * FROM recordings FINAL WHERE NOT removed) AS r "
      "LEFT JOIN (SELECT load, sum(samples) AS here FROM samples GROUP BY load) AS s USING load "
      "WHERE r.samples != s.here ORDER BY path");
  for (RowReader row(differences); !row.at_end();) {
    StoreCheck::Difference difference{.path = std::string(row.text()), .added = row.u64(), .here = row.u64()};
    check.differences.push_back(std::move(difference));
  }
  check.missing_stacks = number_of(
      engine,
      fmt::format("SELECT uniqExact(stack) FROM samples WHERE load IN {} AND stack NOT IN (SELECT id FROM stacks)",
                  counted_loads));
  check.missing_functions =
      number_of(engine,
                "SELECT uniqExact(function) FROM (SELECT arrayJoin(frames) AS function FROM stacks) "
                "WHERE function NOT IN (SELECT id FROM functions)");
  check.rows_of_no_recording =
      number_of(engine, fmt::format("SELECT count() FROM samples WHERE load NOT IN {}", counted_loads));
  return check;
}

void remove_broken_loads(Engine& engine) {
  for (const TableColumns* const table : {&samples_table, &events_table, &quality_table})
    engine.query(fmt::format("DELETE FROM {} WHERE load NOT IN {}", table->name, counted_loads));
}

}  // namespace perfsift::store
