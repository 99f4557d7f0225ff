#include "store/shards.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/error.h"
#include "store/engine/row_binary.h"

namespace perfsift::store {
namespace {

std::optional<Place> place_of(Engine& server) {
  const std::string answer = server.query("SELECT shard, shards FROM shards LIMIT 1");
  if (answer.empty()) return std::nullopt;
  RowReader row(answer);
  const std::uint32_t shard = row.u32();
  return Place{.shard = shard, .shards = row.u32()};
}

bool has_recordings(Engine& server) {
  const std::string answer = server.query("SELECT count() FROM recordings");
  return RowReader(answer).u64() != 0;
}

}  // namespace

// A whole store needs no row, so that it can be read without the right to write.
void check_place(Engine& server, const Place& place) {
  std::optional<Place> known = place_of(server);
  if (!known && (place.shards == 1 || has_recordings(server))) known.emplace();
  if (!known) {
    Parameters parameters;
    parameters.number("shard", place.shard);
    parameters.number("shards", place.shards);
    server.query("INSERT INTO shards (shard, shards) SELECT {shard:UInt32}, {shards:UInt32}", parameters);
    return;
  }
  if (known->shard == place.shard && known->shards == place.shards) return;
  throw InputError(
      fmt::format("has shard {} of {} of its store, and the address makes it shard {} of {}: name all servers, "
                  "in the order in which the store was made",
                  known->shard + 1, known->shards, place.shard + 1, place.shards));
}

std::string state_of(Engine& engine, const Selection& selection) {
  const auto states = engine.query_shards(
      fmt::format("SELECT sum(recordings), sum(samples), sum(duration), toUInt64(min(toUnixTimestamp64Nano(began))), "
                  "groupBitXor(sipHash64(id, load)) FROM {}",
                  selection.wanted_recordings()),
      selection.parameters());
  if (std::ranges::adjacent_find(states, std::ranges::not_equal_to()) != states.end()) {
    throw InputError(
        "its servers have different recordings, as a load or a removal runs, or broke off: repeat it, or let perfsift "
        "store check --repair remove the rest");
  }
  return states.front();
}

StateOfRecordings recordings_in(const std::string& state) {
  RowReader row(state);
  StateOfRecordings recordings;
  recordings.recordings = row.u64();
  recordings.samples = row.u64();
  recordings.duration = row.u64();
  recordings.began = row.u64();
  if (recordings.recordings == 0)
    throw InputError("no recording in the store has these labels; perfsift store list shows all");
  return recordings;
}

}  // namespace perfsift::store
