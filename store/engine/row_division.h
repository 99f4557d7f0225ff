// The rows of a table, divided among the shards of a store.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/sip_hash.h"
#include "store/engine/engine.h"

namespace perfsift::store {

// Ids are hashes, so shards get about as many rows. Stores keep this: another division would need other shards.
constexpr std::size_t shard_of(const Hash128& id, std::size_t shards) { return id.low % shards; }

// The rows of each shard, in RowBinary as the argument. The table has a column by which it is divided.
std::vector<std::string> divided(const TableColumns& table, std::string_view rows, std::size_t shards);

}  // namespace perfsift::store
