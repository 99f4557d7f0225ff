#include "store/rows_by_ids.h"

#include <algorithm>
#include <vector>

#include <gmock/gmock.h>

#include "tests/store/fake_engine.h"

namespace perfsift::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(RowsByIds, AreAskedForByTheBytesOfTheIds) {
  test::FakeEngine engine;
  engine.answers = {{"FROM stacks", "rows"}};
  const std::vector<Hash128> ids = {{.low = 0x0102, .high = 0}, {.low = 0, .high = 0x0a}};
  EXPECT_THAT(rows_by_ids(engine, "id, frames", "stacks", ids), ElementsAre("rows"));
  ASSERT_EQ(engine.asked.size(), 1u);
  EXPECT_THAT(engine.asked[0], HasSubstr("SELECT id, frames FROM stacks WHERE id IN "));
  // Little-endian, as reinterpretAsUInt128() of ClickHouse takes them.
  EXPECT_THAT(engine.last_parameters, ElementsAre(Pair("count", "2"), Pair("ids0",
                                                                           "02010000000000000000000000000000"
                                                                           "00000000000000000a00000000000000")));
}

TEST(RowsByIds, NobodyIsAskedForNothing) {
  test::FakeEngine engine;
  EXPECT_TRUE(rows_by_ids(engine, "id", "stacks", {}).empty());
  EXPECT_TRUE(engine.asked.empty());
}

// ClickHouse: http_max_field_value_size = 131072, http_max_uri_size = 1048576.
TEST(RowsByIds, FitIntoTheAddressesThatServersTake) {
  test::FakeEngine engine;
  const std::vector<Hash128> ids(most_ids_of_statement + 1);
  rows_by_ids(engine, "id", "stacks", std::span(ids).first(most_ids_of_statement));
  ASSERT_EQ(engine.asked.size(), 1u);
  std::size_t all = 0, longest = 0;
  for (const auto& [name, value] : engine.last_parameters) {
    longest = std::max(longest, value.size());
    all += value.size();
  }
  EXPECT_LT(longest, 131'072u);
  EXPECT_LT(all, 1'000'000u);
  EXPECT_EQ(all, 32 * most_ids_of_statement + 5);  // all ids, and "28000"
  engine.asked.clear();
  rows_by_ids(engine, "id", "stacks", ids);
  EXPECT_EQ(engine.asked.size(), 2u);
  EXPECT_THAT(engine.last_parameters, ElementsAre(Pair("count", "1"), Pair("ids0", std::string(32, '0'))));
}

}  // namespace
}  // namespace perfsift::store
