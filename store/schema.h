// The tables of a store, and their versions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "store/engine/engine.h"

namespace perfsift::store {

// The version that this program reads and writes.
std::uint32_t schema_version();
// Makes the tables of an empty store, or brings those of an earlier version up to this one. Throws InputError for a
// store of a later version, which stays as it is.
void migrate(Engine& engine);
// Throws InputError unless the store has this version.
void check_schema(Engine& engine);

// The statements of a migration, without comments in front of them.
std::vector<std::string_view> statements_of(std::string_view sql);

}  // namespace perfsift::store
