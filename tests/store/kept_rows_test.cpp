#include "store/engine/kept_rows.h"

#include <gmock/gmock.h>

#include "tests/store/fake_engine.h"

namespace perfsift::store {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::IsEmpty;
using testing::StartsWith;

TEST(KeptRows, AreATableOfAnEngineInThisProcess) {
  test::LockedEngine engine;
  Parameters parameters;
  parameters.number("n", 7);
  {
    const KeptRows rows(engine, "SELECT {n:UInt64}", parameters), others(engine, "SELECT 2", {});
    EXPECT_NE(rows.source(), others.source());
    EXPECT_THAT(engine.asked.front(),
                AllOf(StartsWith("CREATE TEMPORARY TABLE " + rows.source() + " "), EndsWith(" AS SELECT {n:UInt64}")));
  }
  ASSERT_EQ(engine.asked.size(), 4u);
  EXPECT_THAT(engine.asked.back(), StartsWith("DROP TEMPORARY TABLE "));
}

TEST(KeptRows, OfAServerAreAskedForEachTime) {
  test::FakeEngine engine;
  const KeptRows rows(engine, "SELECT 1", {});
  EXPECT_EQ(rows.source(), "(SELECT 1)");
  EXPECT_THAT(engine.asked, IsEmpty());
}

TEST(KeptRows, ThatCannotBeMadeAreAnError) {
  test::LockedEngine engine;
  engine.errors = {{"CREATE", "no memory"}};
  EXPECT_THROW(KeptRows(engine, "SELECT 1", {}), InputError);
}

}  // namespace
}  // namespace perfsift::store
