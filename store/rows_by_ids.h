// Rows of stacks and functions by their ids.
//
// The ids are parameters of the statement. The engine finds the rows by the order of the table, and reads no samples
// again to know which they are.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/sip_hash.h"
#include "store/engine/engine.h"

namespace perfsift::store {

// For an engine that takes_long_parameters(): of sizes that servers without a proxy take, too, a parameter of 128 KiB
// (http_max_field_value_size) and an address of 1 MiB (http_max_uri_size). An id has 32 digits.
inline constexpr std::size_t most_ids_of_parameter = 4'000, most_ids_of_statement = 7 * most_ids_of_parameter;

// The rows of each shard that have these ids, in RowBinary: one text or several for each shard. `columns` and `table`:
// SQL. Neighbours in the table should be neighbours in `ids`: each statement then reads a part of the table.
std::vector<std::string> rows_by_ids(Engine& engine, std::string_view columns, std::string_view table,
                                     std::span<const Hash128> ids);

}  // namespace perfsift::store
