#include "store/schema.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>

#include "base/error.h"
#include "store/load_tables.h"
#include "store/sql/migrations.h"
#include "tests/store/fake_engine.h"

namespace perfsift::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using namespace std::string_literals;

// What the engine says of a store without tables.
const std::pair<std::string, std::string> no_table = {
    "FROM schema_versions",
    "Code: 60. DB::Exception: Unknown table expression identifier 'schema_versions'. (UNKNOWN_TABLE)"};

// And a server of version 18.
const std::pair<std::string, std::string> no_table_18 = {
    "FROM schema_versions",
    "HTTP status 404: Code: 60, e.displayText() = DB::Exception: Table fleet.schema_versions doesn't exist."};

std::string version(char number) { return number + "\0\0\0"s; }

TEST(StatementsOf, AreSeparatedAtEndsOfLines) {
  EXPECT_THAT(statements_of("-- about;\n\nSELECT 1;\n\n-- more\nSELECT ';'\n;\n-- end"),
              ElementsAre("SELECT 1", "SELECT ';'\n"));
  EXPECT_THAT(statements_of(""), IsEmpty());
  EXPECT_THAT(statements_of("-- only a comment"), IsEmpty());
}

// A migration may break off at any statement, and is then done again.
TEST(Migrations, CanBeRepeated) {
  EXPECT_EQ(statements_of(sql::_001_tables_sql).size(), 6u);
  EXPECT_EQ(statements_of(sql::_002_shards_sql).size(), 4u);
  EXPECT_EQ(statements_of(sql::_003_roll_ups_sql).size(), 1u);
  EXPECT_EQ(statements_of(sql::_004_waits_and_accesses_sql).size(), 2u);
  EXPECT_EQ(statements_of(sql::_005_places_sql).size(), 1u);
  for (const std::string_view migration : {sql::_001_tables_sql, sql::_002_shards_sql, sql::_003_roll_ups_sql,
                                           sql::_004_waits_and_accesses_sql, sql::_005_places_sql}) {
    for (const std::string_view statement : statements_of(migration)) {
      const bool is_repeatable = statement.starts_with("CREATE TABLE IF NOT EXISTS ") ||
                                 statement.find(" MODIFY SETTING ") != std::string_view::npos ||
                                 statement.find(" MODIFY COLUMN ") != std::string_view::npos ||
                                 statement.find("\n    ADD COLUMN IF NOT EXISTS ") != std::string_view::npos;
      EXPECT_TRUE(is_repeatable) << statement;
    }
  }
}

// "rolled_up bucket "
std::string added_columns(std::string_view migration) {
  constexpr std::string_view before = "ADD COLUMN IF NOT EXISTS ";
  std::string names;
  for (std::size_t at = migration.find(before); at != std::string_view::npos; at = migration.find(before, at)) {
    at += before.size();
    names += std::string(migration.substr(at, migration.find(' ', at) - at)) + " ";
  }
  return names;
}

// The columns of rows are those of the tables, in the same order.
TEST(Migrations, HaveTheColumnsOfRows) {
  const std::string sql = std::string(sql::_001_tables_sql) + std::string(sql::_004_waits_and_accesses_sql);
  for (const TableColumns* const each : all_tables) {
    const TableColumns& table = *each;
    const std::size_t begin = sql.find("EXISTS " + std::string(table.name) + "\n(");
    ASSERT_NE(begin, std::string_view::npos) << table.name;
    const std::string columns = sql.substr(begin, sql.find("\n)\n", begin) - begin);
    std::string names, written;
    for (std::size_t at = columns.find("\n    "); at != std::string_view::npos; at = columns.find("\n    ", at + 1))
      names += std::string(columns.substr(at + 5, columns.find(' ', at + 5) - at - 5)) + " ";
    for (std::string_view rest = table.columns; !rest.empty();) {
      written += std::string(rest.substr(0, rest.find(' '))) + " ";
      // A comma inside of parentheses separates types, not columns.
      std::size_t comma = rest.find(", ");
      while (comma != std::string_view::npos && rest.substr(comma).starts_with(", String)"))
        comma = rest.find(", ", comma + 1);
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 2);
    }
    if (table.name == "recordings") names += added_columns(sql::_003_roll_ups_sql);
    EXPECT_EQ(names, written) << table.name;
  }
}

TEST(Migrate, MakesTheTablesOfAnEmptyStore) {
  test::FakeEngine engine;
  engine.errors = {no_table};
  migrate(engine);
  // The question, the table of versions, six tables and their version, a table and three settings and their version,
  // the columns of roll-ups and their version, the tables of waits and accesses and their version, the type
  // of places and its version.
  EXPECT_EQ(engine.asked.size(), 21u);
  EXPECT_THAT(engine.asked.back(), HasSubstr("INSERT INTO schema_versions"));
  EXPECT_THAT(engine.last_parameters, ElementsAre(testing::Pair("version", "5")));
}

TEST(Migrate, LeavesAStoreOfThisVersion) {
  test::FakeEngine engine;
  engine.answers = {{"max(version)", version(5)}};
  migrate(engine);
  check_schema(engine);
  for (const std::string& sql : engine.asked) EXPECT_TRUE(sql.starts_with("SELECT")) << sql;
}

TEST(Migrate, BringsAStoreOfEachEarlierVersionUpToThisOne) {
  for (const char earlier : {1, 2, 3, 4}) {
    test::FakeEngine engine;
    engine.answers = {{"max(version)", version(earlier)}};
    EXPECT_THROW(check_schema(engine), InputError);
    migrate(engine);
    const auto asks = [&](const char* text) {
      return std::ranges::any_of(engine.asked, [&](const auto& sql) { return sql.find(text) != std::string::npos; });
    };
    EXPECT_FALSE(asks("EXISTS functions"));
    EXPECT_EQ(asks("EXISTS shards"), earlier < 2);
    EXPECT_EQ(asks("rolled_up"), earlier < 3);
    EXPECT_EQ(asks("EXISTS waits"), earlier < 4);
    EXPECT_TRUE(asks("MODIFY COLUMN place"));
    EXPECT_THAT(engine.last_parameters, ElementsAre(testing::Pair("version", "5")));
  }
}

TEST(Migrate, RefusesAStoreOfALaterVersion) {
  test::FakeEngine engine;
  engine.answers = {{"max(version)", version(6)}};
  EXPECT_THROW(migrate(engine), InputError);
  EXPECT_THROW(check_schema(engine), InputError);
  for (const std::string& sql : engine.asked) EXPECT_TRUE(sql.starts_with("SELECT")) << sql;
}

// A store that cannot be read is not taken for an empty one.
TEST(Migrate, MakesNoTablesAfterAnotherError) {
  test::FakeEngine engine;
  engine.errors = {{"FROM schema_versions", "Code: 497. DB::Exception: Not enough privileges. (ACCESS_DENIED)"}};
  EXPECT_THROW(migrate(engine), InputError);
  EXPECT_EQ(engine.asked.size(), 1u);
}

TEST(CheckSchema, AnEmptyStoreIsNone) {
  for (const auto& error : {no_table, no_table_18}) {
    test::FakeEngine engine;
    engine.errors = {error};
    EXPECT_THAT([&] { check_schema(engine); }, testing::ThrowsMessage<InputError>(HasSubstr("there is no store")));
  }
}

}  // namespace
}  // namespace perfsift::store
