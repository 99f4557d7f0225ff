#include "store/engine/sharded_engine.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "store/engine/row_binary.h"
#include "store/engine/row_division.h"
#include "store/recording_rows.h"
#include "tests/store/fake_engine.h"

namespace perfsift::store {
namespace {

using testing::ElementsAre;

std::string stack_row(const Hash128& id, std::uint64_t frames) {
  std::string bytes;
  RowWriter row(bytes);
  row.id(id);
  row.count(frames);
  for (std::uint64_t i = 0; i < frames; ++i) row.id({.low = i});
  return bytes;
}

std::string sample_row(const Hash128& stack, std::string_view thread) {
  std::string bytes;
  RowWriter row(bytes);
  row.text("service");
  row.text("event");
  row.u32(10);
  row.id(stack);
  row.text(thread);
  row.text("");
  for (std::uint64_t number = 1; number <= 3; ++number) row.u64(number);
  return bytes;
}

TEST(RowDivision, IsByTheIdOfTheStack) {
  const Hash128 even{.low = 6, .high = 1}, odd{.low = 7, .high = 2};
  const auto stacks = divided(stacks_table, stack_row(even, 0) + stack_row(odd, 200) + stack_row(even, 3), 2);
  EXPECT_THAT(stacks, ElementsAre(stack_row(even, 0) + stack_row(even, 3), stack_row(odd, 200)));
  const auto samples = divided(samples_table, sample_row(odd, "a") + sample_row(even, "b"), 2);
  EXPECT_THAT(samples, ElementsAre(sample_row(even, "b"), sample_row(odd, "a")));
}

TEST(RowDivision, RowsThatEndEarlyAreAnError) {
  const std::string row = sample_row({.low = 1}, "a");
  for (std::size_t size = 1; size < row.size(); ++size)
    EXPECT_THROW(divided(samples_table, std::string_view(row).substr(0, size), 2), InputError) << size;
}

struct ThreeShards {
  ThreeShards() {
    std::vector<std::unique_ptr<Engine>> engines;
    for (test::FakeEngine*& each : shards) {
      auto engine = std::make_unique<test::FakeEngine>();
      each = engine.get();
      engines.push_back(std::move(engine));
    }
    whole = std::make_unique<ShardedEngine>(std::move(engines));
  }

  test::FakeEngine* shards[3] = {};
  std::unique_ptr<Engine> whole;
};

TEST(ShardedEngine, OtherTablesAreWholeOnEachShard) {
  ThreeShards store;
  store.whole->insert(events_table, "rows");
  store.whole->insert(stacks_table, stack_row({.low = 5}, 1));
  for (std::size_t shard = 0; shard < 3; ++shard) {
    EXPECT_THAT(store.shards[shard]->inserted,
                ElementsAre(testing::Pair("events", "rows"),
                            testing::Pair("stacks", shard == 2 ? stack_row({.low = 5}, 1) : "")));
  }
}

TEST(ShardedEngine, AsksTheFirstOrAll) {
  ThreeShards store;
  for (std::size_t shard = 0; shard < 3; ++shard) store.shards[shard]->answers = {{"", std::to_string(shard)}};
  EXPECT_EQ(store.whole->query("SELECT 1"), "0");
  EXPECT_THAT(store.whole->query_shards("SELECT 1"), ElementsAre("0", "1", "2"));
}

TEST(ShardedEngine, AShardThatFailsIsAnError) {
  ThreeShards store;
  store.shards[1]->fails_at = "events";
  EXPECT_THROW(store.whole->insert(events_table, "rows"), InputError);
}

}  // namespace
}  // namespace perfsift::store
