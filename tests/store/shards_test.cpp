#include "store/shards.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "store/engine/row_binary.h"
#include "store/engine/sharded_engine.h"
#include "store/loader.h"
#include "tests/store/fake_engine.h"

namespace perfsift::store {
namespace {

std::string two_numbers(std::uint32_t first, std::uint32_t second) {
  std::string bytes;
  RowWriter row(bytes);
  row.u32(first);
  row.u32(second);
  return bytes;
}

std::string number(std::uint64_t value) {
  std::string bytes;
  RowWriter(bytes).u64(value);
  return bytes;
}

TEST(CheckPlace, ANewServerGetsItsPlace) {
  test::FakeEngine engine;
  engine.answers = {{"count()", number(0)}};
  check_place(engine, {.shard = 1, .shards = 3});
  EXPECT_THAT(engine.asked.back(), testing::StartsWith("INSERT INTO shards"));
  EXPECT_THAT(engine.last_parameters, testing::ElementsAre(testing::Pair("shard", "1"), testing::Pair("shards", "3")));
}

TEST(CheckPlace, AStoreOfOneServerNeedsNoRow) {
  test::FakeEngine engine;
  check_place(engine, {});
  for (const std::string& sql : engine.asked) EXPECT_THAT(sql, testing::StartsWith("SELECT"));
}

// Otherwise an answer would be the sum of a part.
TEST(CheckPlace, OtherPlacesAreRefused) {
  test::FakeEngine engine;
  engine.answers = {{"FROM shards", two_numbers(1, 3)}};
  check_place(engine, {.shard = 1, .shards = 3});
  EXPECT_THROW(check_place(engine, {}), InputError);
  EXPECT_THROW(check_place(engine, {.shard = 0, .shards = 3}), InputError);
  EXPECT_THROW(check_place(engine, {.shard = 1, .shards = 4}), InputError);
  test::FakeEngine whole;
  whole.answers = {{"count()", number(5)}};
  EXPECT_THROW(check_place(whole, {.shard = 0, .shards = 2}), InputError);
}

// Two shards that give these answers to the question.
std::unique_ptr<Engine> two_shards(const std::string& question, const std::string& first, const std::string& second) {
  std::vector<std::unique_ptr<Engine>> shards;
  for (const std::string& answer : {first, second}) {
    auto shard = std::make_unique<test::FakeEngine>();
    shard->answers = {{question, answer}};
    shards.push_back(std::move(shard));
  }
  return std::make_unique<ShardedEngine>(std::move(shards));
}

TEST(StateOf, DisagreementIsAnError) {
  EXPECT_EQ(state_of(*two_shards("groupBitXor", "a", "a"), {}), "a");
  EXPECT_THROW(state_of(*two_shards("groupBitXor", "a", "b"), {}), InputError);
}

std::string loads(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& recordings) {
  std::string bytes;
  RowWriter row(bytes);
  for (const auto& [id, load] : recordings) {
    row.id({.low = id});
    row.u64(load);
  }
  return bytes;
}

TEST(Loader, RecordingsThatShardsDisagreeOnAreAddedAgain) {
  const auto store = two_shards("SELECT id, if(rolled_up, 0, load) FROM recordings", loads({{1, 10}, {2, 20}, {3, 30}}),
                                loads({{1, 10}, {2, 21}, {4, 40}}));
  Loader loader(*store);
  EXPECT_FALSE(loader.claim({.low = 1}));
  for (std::uint64_t id = 2; id <= 4; ++id) EXPECT_TRUE(loader.claim({.low = id})) << id;
}

// A roll-up that broke off between shards has the samples already.
TEST(Loader, RecordingsThatOneShardHasInARollUpAreNotAddedAgain) {
  const auto store = two_shards("SELECT id, if(rolled_up, 0, load) FROM recordings", loads({{1, 0}, {2, 20}}),
                                loads({{1, 10}, {2, 21}}));
  Loader loader(*store);
  EXPECT_FALSE(loader.claim({.low = 1}));
  EXPECT_TRUE(loader.claim({.low = 2}));
}

}  // namespace
}  // namespace perfsift::store
