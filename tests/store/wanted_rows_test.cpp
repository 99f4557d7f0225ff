#include "store/wanted_rows.h"

#include <gmock/gmock.h>

#include "store/shards.h"
#include "tests/store/fake_engine.h"

namespace perfsift::store {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Selection of_shop() {
  Selection selection;
  selection.labels["service"] = {"shop"};
  return selection;
}

TEST(KeptSelection, LooksUpRecordingsOnceInThisProcess) {
  test::LockedEngine engine;
  const KeptSelection kept(engine, of_shop());
  EXPECT_THAT(engine.asked.back(), StartsWith("CREATE TEMPORARY TABLE "));
  EXPECT_THAT(engine.asked.back(), HasSubstr("FROM recordings FINAL WHERE"));
  state_of(engine, kept.selection());
  EXPECT_THAT(engine.asked.back(), Not(HasSubstr("FROM recordings")));
  for (const std::string& sql : {wanted_samples(kept.selection()), wanted_stacks("waits", kept.selection())})
    EXPECT_THAT(sql, Not(HasSubstr("FROM recordings")));
}

TEST(KeptSelection, AsksServersForItsRecordingsEachTime) {
  test::FakeEngine engine;
  const KeptSelection kept(engine, of_shop());
  EXPECT_TRUE(engine.asked.empty());
  state_of(engine, kept.selection());
  EXPECT_THAT(engine.asked.back(), HasSubstr("FROM recordings FINAL WHERE"));
  EXPECT_THAT(wanted_loads(kept.selection()), HasSubstr("FROM recordings FINAL WHERE"));
}

TEST(KeptSelection, IsTheSelection) {
  test::LockedEngine engine;
  Selection selection = of_shop();
  selection.from = 1'790'000'000;
  selection.events = {"cycles"};
  const KeptSelection kept(engine, selection);
  EXPECT_EQ(kept.selection().parameters().all(), selection.parameters().all());
  EXPECT_EQ(kept.selection().further_condition_on_samples(), selection.further_condition_on_samples());
}

}  // namespace
}  // namespace perfsift::store
