#include "store/loader.h"

#include <utility>

#include "store/engine/row_binary.h"

namespace perfsift::store {
namespace {

constexpr std::size_t full_batch = std::size_t{32} << 20;
// So many ids take some ten megabytes. Rows with forgotten ids are inserted again, which does no harm.
constexpr std::size_t most_ids = std::size_t{1} << 20;

// Adds the rows whose ids are new.
template <typename Ids>
void add_new(const RowsWithIds& rows, Ids& known, std::string& to) {
  if (known.size() > most_ids) known.clear();
  std::size_t begin = 0;
  for (const RowsWithIds::Row& row : rows.rows) {
    if (known.insert(row.id).second) to.append(rows.bytes, begin, row.end - begin);
    begin = row.end;
  }
}

using Loads = std::set<std::pair<Hash128, std::uint64_t>>;  // ids of recordings, and loads

Loads loads_in(const std::string& answer) {
  Loads loads;
  for (RowReader row(answer); !row.at_end();) {
    const Hash128 id = row.id();
    loads.emplace(id, row.u64());
  }
  return loads;
}

}  // namespace

Loader::Loader(Engine& engine) : engine_(engine) {
  const auto shards = engine.query_shards("SELECT id, load FROM recordings FINAL WHERE NOT removed");
  Loads everywhere = loads_in(shards.front());
  for (std::size_t shard = 1; shard < shards.size(); ++shard) {
    const Loads here = loads_in(shards[shard]);
    std::erase_if(everywhere, [&](const auto& load) { return !here.contains(load); });
  }
  for (const auto& [id, load] : everywhere) known_.insert(id);
}

bool Loader::claim(const Hash128& id) {
  const std::lock_guard lock(mutex_);
  return known_.insert(id).second;
}

void Loader::add(RecordingRows rows) {
  const std::lock_guard lock(mutex_);
  add_new(rows.functions, functions_, function_rows_);
  add_new(rows.stacks, stacks_, stack_rows_);
  sample_rows_ += rows.samples;
  event_rows_ += rows.events;
  quality_rows_ += rows.quality;
  recording_rows_ += rows.recording;
  ++recordings_;
  samples_ += rows.sample_count;
  if (function_rows_.size() + stack_rows_.size() + sample_rows_.size() + quality_rows_.size() > full_batch) insert();
}

void Loader::finish() {
  const std::lock_guard lock(mutex_);
  insert();
}

void Loader::insert() {
  engine_.insert(functions_table, function_rows_);
  engine_.insert(stacks_table, stack_rows_);
  engine_.insert(samples_table, sample_rows_);
  engine_.insert(events_table, event_rows_);
  engine_.insert(quality_table, quality_rows_);
  engine_.insert(recordings_table, recording_rows_);
  for (std::string* const rows :
       {&function_rows_, &stack_rows_, &sample_rows_, &event_rows_, &quality_rows_, &recording_rows_})
    rows->clear();
}

}  // namespace perfsift::store
