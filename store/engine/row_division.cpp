#include "store/engine/row_division.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "store/engine/row_binary.h"

namespace perfsift::store {
namespace {

struct Column {
  std::string_view name, type;
};

std::vector<Column> columns_of(std::string_view text) {
  constexpr std::string_view between = ", ";
  std::vector<Column> columns;
  while (!text.empty()) {
    const std::string_view column = text.substr(0, text.find(between));
    text.remove_prefix(std::min(text.size(), column.size() + between.size()));
    const std::size_t blank = column.find(' ');
    columns.push_back({column.substr(0, blank), column.substr(blank + 1)});
  }
  return columns;
}

// Passes over a value. The types are those of tables that are divided.
void skip(RowReader& row, std::string_view type) {
  if (type == "String") {
    (void)row.text();
  } else if (type == "UInt64") {
    (void)row.u64();
  } else if (type == "DateTime" || type == "UInt32") {
    (void)row.u32();
  } else if (type == "Bool") {
    (void)row.boolean();
  } else if (type == "UInt128") {
    (void)row.id();
  } else if (type == "Array(UInt128)") {
    row.skip_elements(sizeof(Hash128));
  } else {
    throw Error(fmt::format("no column of a divided table has the type {}", type));
  }
}

}  // namespace

std::vector<std::string> divided(const TableColumns& table, std::string_view rows, std::size_t shards) {
  const std::vector<Column> columns = columns_of(table.columns);
  std::vector<std::string> parts(shards);
  while (!rows.empty()) {
    RowReader row(rows);
    std::size_t shard = 0;
    for (const Column& column : columns)
      column.name == table.divided_by ? void(shard = shard_of(row.id(), shards)) : skip(row, column.type);
    const std::size_t size = rows.size() - row.remaining();
    parts[shard] += rows.substr(0, size);
    rows.remove_prefix(size);
  }
  return parts;
}

}  // namespace perfsift::store
