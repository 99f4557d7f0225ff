#include "store/rows_by_ids.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "store/engine/row_binary.h"

namespace perfsift::store {
namespace {

// The ids as RowBinary has them, one after the other.
std::string bytes_of(std::span<const Hash128> ids) {
  std::string bytes;
  RowWriter writer(bytes);
  for (const Hash128& id : ids) writer.id(id);
  return bytes;
}

std::vector<std::string> ask(Engine& engine, std::string_view columns, std::string_view table,
                             std::span<const Hash128> ids) {
  Parameters parameters;
  parameters.number("count", ids.size());
  std::vector<std::string> pieces;
  for (std::size_t begin = 0; begin < ids.size(); begin += most_ids_of_parameter) {
    const std::string name = fmt::format("ids{}", pieces.size());
    parameters.text(name, bytes_of(ids.subspan(begin, std::min(ids.size() - begin, most_ids_of_parameter))));
    pieces.push_back(fmt::format("unhex({{{}:String}})", name));
  }
  return engine.query_shards(
      fmt::format("SELECT {} FROM {} WHERE id IN (SELECT reinterpretAsUInt128(substring({}{}{}, 16 * number + 1, 16)) "
                  "FROM numbers({{count:UInt64}}))",
                  columns, table, pieces.size() > 1 ? "concat(" : "", fmt::join(pieces, ", "),
                  pieces.size() > 1 ? ")" : ""),
      parameters);
}

}  // namespace

std::vector<std::string> rows_by_ids(Engine& engine, std::string_view columns, std::string_view table,
                                     std::span<const Hash128> ids) {
  std::vector<std::string> rows;
  for (std::size_t begin = 0; begin < ids.size(); begin += most_ids_of_statement) {
    std::vector<std::string> more =
        ask(engine, columns, table, ids.subspan(begin, std::min(ids.size() - begin, most_ids_of_statement)));
    std::ranges::move(more, std::back_inserter(rows));
  }
  return rows;
}

}  // namespace perfsift::store
