#include "store/roll_up.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

#include "base/error.h"
#include "store/engine/row_binary.h"
#include "store/engine/sharded_engine.h"
#include "tests/store/fake_engine.h"

namespace perfsift::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string three_numbers(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::string bytes;
  RowWriter row(bytes);
  for (const std::uint64_t number : {a, b, c}) row.u64(number);
  return bytes;
}

// Recordings with the loads 5 and 6, which are to be rolled up until they are replaced.
class StoreOfTwo : public test::FakeEngine {
 public:
  using FakeEngine::query;
  std::string query(std::string_view sql, const Parameters& parameters) override {
    FakeEngine::query(sql, parameters);
    if (sql.starts_with("SELECT groupArray(load)")) return is_replaced ? "" : group();
    if (sql.starts_with("SELECT sum(before)")) {
      const bool is_wrong = wrong_sums != 0;
      if (is_wrong) --wrong_sums;
      return three_numbers(20, 7, is_wrong ? 1 : 0);
    }
    if (sql.starts_with("INSERT INTO recordings")) is_replaced = replaces;
    if (sql.starts_with("SELECT load FROM recordings FINAL WHERE NOT removed AND load IN") && is_replaced)
      return load();
    return {};
  }
  std::vector<std::string> asked_with(std::string_view begin) const {
    std::vector<std::string> found;
    std::ranges::copy_if(asked, std::back_inserter(found), [&](const auto& sql) { return sql.starts_with(begin); });
    return found;
  }

  std::uint64_t wrong_sums = 0;  // as many of the next checks find a difference
  bool replaces = true;
  bool is_replaced = false;

 private:
  static std::string group() {
    std::string bytes;
    RowWriter row(bytes);
    row.count(2);
    for (const std::uint64_t number : {5, 6, 100}) row.u64(number);
    return bytes;
  }
  // The number of the new load: "[123]".
  std::string load() const {
    const std::string& text = last_parameters.front().second;
    std::uint64_t number = 0;
    std::from_chars(text.data() + 1, text.data() + text.size(), number);
    std::string bytes;
    RowWriter(bytes).u64(number);
    return bytes;
  }
};

constexpr RollUpOptions ten_minutes{.seconds = 600, .before = 1'000'000};

TEST(RollUp, AddsUpChecksAndThenLetsTheSumsCount) {
  StoreOfTwo engine;
  const RolledUp done = roll_up(engine, {}, ten_minutes);
  EXPECT_EQ(done.recordings, 2u);
  EXPECT_EQ(done.roll_ups, 1u);
  EXPECT_EQ(done.rows_before, 20u);
  EXPECT_EQ(done.rows, 7u);
  std::vector<std::string> verbs;
  for (const std::string& sql : engine.asked) verbs.push_back(sql.substr(0, 18));
  EXPECT_THAT(verbs, ElementsAre("SELECT groupArray(", "INSERT INTO sample", "SELECT sum(before)", "INSERT INTO waits ",
                                 "SELECT sum(before)", "INSERT INTO access", "SELECT sum(before)", "INSERT INTO events",
                                 "INSERT INTO qualit", "SELECT sum(before)", "INSERT INTO record", "SELECT load FROM r",
                                 "DELETE FROM sample", "DELETE FROM waits ", "DELETE FROM access", "DELETE FROM events",
                                 "DELETE FROM qualit", "SELECT groupArray("));
}

// The longest wait of several recordings is the longest of their sums.
TEST(RollUp, KeepsTheLongestWait) {
  StoreOfTwo engine;
  roll_up(engine, {}, ten_minutes);
  const std::vector<std::string> statements = engine.asked_with("INSERT INTO waits ");
  ASSERT_EQ(statements.size(), 1u);
  EXPECT_THAT(statements.front(), HasSubstr(", unknown, longest, load) SELECT "));
  EXPECT_THAT(statements.front(), HasSubstr("accurateCast(sum(toUInt128(unknown)), 'UInt64'), max(longest), new_load"));
}

// A recording of ten seconds that no other joins would be written again as it is.
TEST(RollUp, AsksForGroupsOfSeveralAndForLongRecordings) {
  StoreOfTwo engine;
  engine.is_replaced = true;
  EXPECT_EQ(roll_up(engine, {}, ten_minutes).recordings, 0u);
  ASSERT_EQ(engine.asked.size(), 1u);
  EXPECT_THAT(engine.asked.front(), HasSubstr("count() > 1 OR max(duration) >= 2000000000 * "));
  EXPECT_THAT(engine.last_parameters, testing::Contains(testing::Pair("row", "10")));
}

// An insert whose answer was lost may have been done twice.
TEST(RollUp, RowsWithAWrongSumAreDeletedAndInsertedAgain) {
  StoreOfTwo engine;
  engine.wrong_sums = 3;
  const RolledUp done = roll_up(engine, {}, ten_minutes);
  EXPECT_EQ(done.recordings, 2u);
  EXPECT_EQ(done.rows, 7u);
  EXPECT_EQ(engine.asked_with("INSERT INTO samples").size(), 4u);
  EXPECT_EQ(engine.asked_with("DELETE FROM samples").size(), 4u);  // the last one deletes the rows that were replaced
  EXPECT_EQ(engine.asked_with("INSERT INTO waits").size(), 1u);
}

TEST(RollUp, WrongSumsNeverCount) {
  StoreOfTwo engine;
  engine.wrong_sums = 1'000;
  EXPECT_THROW(roll_up(engine, {}, ten_minutes), InputError);
  EXPECT_THAT(engine.asked_with("INSERT INTO recordings"), testing::IsEmpty());
  EXPECT_EQ(engine.asked_with("DELETE FROM samples").size(), engine.asked_with("INSERT INTO samples").size());
}

// Another process was first: the sums go, and the recordings stay.
TEST(RollUp, SumsThatDoNotCountAreDeleted) {
  StoreOfTwo engine;
  engine.replaces = false;
  EXPECT_THROW(roll_up(engine, {}, ten_minutes), InputError);
  EXPECT_THAT(engine.last_parameters, testing::Not(testing::Contains(testing::Pair("loads", HasSubstr("5,6")))));
}

TEST(RollUp, RecordingsThatAreNotOnAllShardsStay) {
  std::vector<std::unique_ptr<Engine>> shards;
  auto of_two = std::make_unique<StoreOfTwo>();
  const StoreOfTwo& asked = *of_two;
  shards.push_back(std::move(of_two));
  shards.push_back(std::make_unique<test::FakeEngine>());
  ShardedEngine store(std::move(shards));
  EXPECT_EQ(roll_up(store, {}, ten_minutes).roll_ups, 0u);
  EXPECT_THAT(asked.asked_with("INSERT"), testing::IsEmpty());
}

}  // namespace
}  // namespace perfsift::store
