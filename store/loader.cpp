#include "store/loader.h"

#include <utility>

#include "store/engine/row_binary.h"
#include "store/recording_changes.h"

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

// A row of the table recordings begins with its id.
constexpr std::size_t bytes_of_id = sizeof(Hash128);
std::string id_in(const std::string& row) { return row.substr(0, bytes_of_id); }

}  // namespace

// A recording that was rolled up has the load 0 here: where a roll-up broke off between shards, one of them knows it.
Loader::Loader(Engine& engine) : engine_(engine) {
  const auto shards =
      engine.query_shards("SELECT id, if(rolled_up, 0, load) FROM recordings FINAL WHERE NOT removed OR rolled_up");
  Loads everywhere = loads_in(shards.front());
  for (const std::string& shard : shards) {
    const Loads here = loads_in(shard);
    std::erase_if(everywhere, [&](const auto& load) { return !here.contains(load); });
    for (const auto& [id, load] : here) {
      if (load == 0) known_.insert(id);
    }
  }
  for (const auto& [id, load] : everywhere) known_.insert(id);
}

bool Loader::claim(const Hash128& id) {
  const std::lock_guard lock(mutex_);
  return known_.insert(id).second;
}

void Loader::add(RecordingRows rows) {
  const std::lock_guard lock(mutex_);
  add_new(rows.functions, functions_, batch_.functions.bytes);
  add_new(rows.stacks, stacks_, batch_.stacks.bytes);
  for (const auto& [table, of_load] : rows_of_load) batch_.*of_load += rows.*of_load;
  recordings_of_batch_.push_back({.row = std::move(rows.recording), .samples = rows.sample_count});
  if (batch_.size() > full_batch || recordings_of_batch_.size() == most_loads) insert();
}

void Loader::finish() {
  const std::lock_guard lock(mutex_);
  insert();
}

void Loader::insert() {
  engine_.insert(functions_table, batch_.functions.bytes);
  engine_.insert(stacks_table, batch_.stacks.bytes);
  for (const auto& [table, of_load] : rows_of_load) engine_.insert(*table, batch_.*of_load);
  insert_recordings();
  batch_.functions.bytes.clear();
  batch_.stacks.bytes.clear();
  for (const auto& [table, of_load] : rows_of_load) (batch_.*of_load).clear();
}

// Another process may have added the same recording, and a third one may have rolled it up: then it counts already.
void Loader::insert_recordings() {
  if (recordings_of_batch_.empty()) return;
  std::vector<std::string> ids;
  for (const Recording& recording : recordings_of_batch_) ids.push_back(id_in(recording.row));
  Parameters parameters;
  parameters.texts("ids", ids);
  std::set<std::string> rolled_up;
  for (const std::string& answer :
       engine_.query_shards("SELECT id FROM recordings FINAL WHERE rolled_up AND id IN "
                            "(SELECT reinterpretAsUInt128(unhex(arrayJoin({ids:Array(String)}))))",
                            parameters)) {
    for (std::size_t at = 0; at < answer.size(); at += bytes_of_id) rolled_up.insert(answer.substr(at, bytes_of_id));
  }
  std::string rows;
  for (const Recording& recording : recordings_of_batch_) {
    if (rolled_up.contains(id_in(recording.row))) continue;
    rows += recording.row;
    ++recordings_;
    samples_ += recording.samples;
  }
  engine_.insert(recordings_table, rows);
  recordings_of_batch_.clear();
}

}  // namespace perfsift::store
