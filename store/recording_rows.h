// A recording as rows of a store's tables.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/memory/summed_accesses.h"
#include "analysis/offcpu/summed_waits.h"
#include "analysis/profile/profile.h"
#include "analysis/profile/quality.h"
#include "analysis/table/sample_table.h"
#include "base/sip_hash.h"
#include "store/engine/engine.h"
#include "store/row_times.h"

namespace perfsift::store {

using Labels = std::map<std::string, std::string>;

// What a store is told about a recording besides its samples.
struct RecordingFacts {
  Hash128 id;  // see recording_id()
  Labels labels;
  std::string path;
  std::uint64_t began = 0;     // nanoseconds since 1970
  std::uint64_t duration = 0;  // nanoseconds
};

// A recording that was read: its stacks consist of functions (FrameDetail::function), without threads, and its table
// has all samples.
struct RecordingContents {
  const analysis::Profile& profile;
  const analysis::SampleTable& table;
  const analysis::Quality& quality;
  std::vector<analysis::EventId> events;  // the event that is shown first comes first
  // What is added to the time of a sample for nanoseconds since 1970, if the samples have times.
  std::int64_t clock_offset = 0;
  bool is_folded_text = false;  // kinds of frames are known by marks in their texts
  // The waits of a recording with switches. Their frames are those of `profile`. nullptr: there are none.
  const offcpu::SummedWaits* waits = nullptr;
  // The accesses of a recording with memory events. Their frames and texts are those of `profile`. nullptr: there are
  // none.
  const analysis::SummedAccesses* accesses = nullptr;
};

// The tables' columns. Their order is that of the migrations in sql/.
inline constexpr TableColumns functions_table{
    .name = "functions",
    .columns =
        "id UInt128, name String, kind String, inlined Bool, unnamed Bool, marks String, binary String, "
        "build_id String, file String, line UInt32"};
inline constexpr TableColumns stacks_table{
    .name = "stacks", .columns = "id UInt128, frames Array(UInt128)", .divided_by = "id"};
inline constexpr TableColumns samples_table{
    .name = "samples",
    .columns =
        "service String, event String, time DateTime, stack UInt128, thread String, cgroup String, load UInt64, "
        "samples UInt64, value UInt64",
    .divided_by = "stack"};
inline constexpr TableColumns waits_table{
    .name = "waits",
    .columns =
        "service String, time DateTime, stack UInt128, thread String, cgroup String, wait String, state String, "
        "cut String, woken Bool, blocked_bucket UInt32, run_queue_bucket UInt32, load UInt64, intervals UInt64, "
        "blocked UInt64, run_queue UInt64, unknown UInt64, longest UInt64",
    .divided_by = "stack"};
inline constexpr TableColumns accesses_table{
    .name = "accesses",
    .columns =
        "service String, event String, time DateTime, stack UInt128, thread String, cgroup String, operation String, "
        "level String, snoop String, source UInt64, symbol String, dso String, variable String, dso_daddr String, "
        "kind String, node String, has_address Bool, mapped Bool, latency_bucket UInt32, load UInt64, accesses UInt64, "
        "weight UInt64",
    .divided_by = "stack"};
inline constexpr TableColumns recordings_table{
    .name = "recordings",
    .columns =
        "id UInt128, load UInt64, removed Bool, labels Map(String, String), path String, began DateTime64(9), "
        "duration UInt64, added DateTime, samples UInt64, rolled_up Bool, bucket UInt32, recordings UInt64"};
inline constexpr TableColumns events_table{
    .name = "events",
    .columns = "load UInt64, place UInt32, event String, unit String, count_type String, value_type String"};
inline constexpr TableColumns quality_table{
    .name = "quality", .columns = "load UInt64, fact String, reason String, place String, count UInt64"};

// Rows that have an id: each row ends at `end`.
struct RowsWithIds {
  struct Row {
    Hash128 id;
    std::size_t end = 0;
  };
  std::string bytes;
  std::vector<Row> rows;
};

// All rows of one load.
struct RecordingRows {
  RowsWithIds functions, stacks;
  std::string samples, waits, accesses, events, quality, recording;
  std::uint64_t sample_rows = 0;
  std::uint64_t sample_count = 0;

  std::size_t size() const {
    return functions.bytes.size() + stacks.bytes.size() + samples.size() + waits.size() + accesses.size() +
           events.size() + quality.size() + recording.size();
  }
};

// The tables of these rows that have no ids, without the recording, in the order in which rows are inserted.
inline constexpr std::array<std::pair<const TableColumns*, std::string RecordingRows::*>, 5> rows_of_load = {{
    {&samples_table, &RecordingRows::samples},
    {&waits_table, &RecordingRows::waits},
    {&accesses_table, &RecordingRows::accesses},
    {&events_table, &RecordingRows::events},
    {&quality_table, &RecordingRows::quality},
}};

// `load`: see new_load().
RecordingRows rows_of(const RecordingFacts& facts, const RecordingContents& contents, std::uint64_t load);

// The row of a removed recording.
std::string removed_row(const Hash128& id, std::uint64_t load);

// The number of a new load: larger than all earlier ones and than `after`, and that of no other process. Thread-safe.
std::uint64_t new_load(std::uint64_t after = 0);

// The id of a recording: equal contents with equal labels are one recording.
Hash128 recording_id(const Hash128& content, const Labels& labels);
// The hash of a file's bytes, or of all files of a folder with their names. Throws InputError.
Hash128 content_hash(const std::string& path, unsigned threads);

}  // namespace perfsift::store
