#include "store/schema.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/error.h"
#include "store/engine/row_binary.h"
#include "store/sql/migrations.h"

namespace perfsift::store {
namespace {

// In order: the number of a migration is its place, beginning with 1.
std::array<std::string_view, 5> migrations() {
  return {sql::_001_tables_sql, sql::_002_shards_sql, sql::_003_roll_ups_sql, sql::_004_waits_and_accesses_sql,
          sql::_005_places_sql};
}

// UNKNOWN_TABLE, which servers before 21 do not name. Behind the number, these have a comma.
bool is_unknown_table(std::string_view error) {
  return error.find("Code: 60.") != std::string_view::npos || error.find("Code: 60,") != std::string_view::npos;
}

// 0: the store is empty. Asks one question only, as each one counts where a store is read.
std::uint32_t version_of(Engine& engine) {
  try {
    const std::string version = engine.query("SELECT max(version) FROM schema_versions");
    return RowReader(version).u32();
  } catch (const InputError& error) {
    if (!is_unknown_table(error.what())) throw;
    return 0;
  }
}

void refuse_later(std::uint32_t version) {
  if (version <= schema_version()) return;
  throw InputError(
      fmt::format("the store has version {}, and this perfsift knows versions up to {}: use the perfsift that wrote "
                  "it, or a later one",
                  version, schema_version()));
}

}  // namespace

std::uint32_t schema_version() { return static_cast<std::uint32_t>(migrations().size()); }

std::vector<std::string_view> statements_of(std::string_view sql) {
  constexpr std::string_view end = ";\n", blanks = " \n";
  std::vector<std::string_view> statements;
  while (!sql.empty()) {
    std::string_view statement = sql.substr(0, sql.find(end));
    sql.remove_prefix(std::min(sql.size(), statement.size() + end.size()));
    while (statement.starts_with("--") || statement.starts_with('\n')) {
      const std::size_t line = statement.substr(0, statement.find('\n')).size();
      statement.remove_prefix(std::min(statement.size(), line + 1));
    }
    if (statement.find_first_not_of(blanks) != std::string_view::npos) statements.push_back(statement);
  }
  return statements;
}

// The version is written after the tables were made: a migration that broke off is done again, so its statements must
// be possible twice. For a new store this is the table of versions: without a version, other tables are made anew.
void migrate(Engine& engine) {
  const std::uint32_t version = version_of(engine);
  refuse_later(version);
  if (version == schema_version()) return;
  engine.query(
      "CREATE TABLE IF NOT EXISTS schema_versions (version UInt32, migrated DateTime DEFAULT now()) "
      "ENGINE = MergeTree ORDER BY version");
  for (std::uint32_t next = version + 1; next <= schema_version(); ++next) {
    for (const std::string_view statement : statements_of(migrations()[next - 1])) engine.query(statement);
    Parameters parameters;
    parameters.number("version", next);
    engine.query("INSERT INTO schema_versions (version) SELECT {version:UInt32}", parameters);
  }
}

void check_schema(Engine& engine) {
  const std::uint32_t version = version_of(engine);
  refuse_later(version);
  if (version == 0) throw InputError("there is no store; perfsift store add makes one");
  if (version < schema_version()) {
    throw InputError(fmt::format("the store has version {}, an earlier one: perfsift store check brings it up to {}",
                                 version, schema_version()));
  }
}

}  // namespace perfsift::store
