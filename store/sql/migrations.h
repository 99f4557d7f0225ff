// The migrations of the schema, which the build makes constants of.
#pragma once

#include <array>
#include <string_view>

namespace perfsift::store::sql {

extern const std::string_view _001_tables_sql;
extern const std::string_view _002_shards_sql;
extern const std::string_view _003_roll_ups_sql;
extern const std::string_view _004_waits_and_accesses_sql;
extern const std::string_view _005_places_sql;

}  // namespace perfsift::store::sql
