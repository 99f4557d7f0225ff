#include "store/selection.h"

#include <gtest/gtest.h>

namespace perfsift::store {
namespace {

// A condition that all rows meet would be read and evaluated for each of them.
TEST(Selection, ColumnsThatMayHaveAnyValueAreNotAskedFor) {
  Selection selection;
  EXPECT_EQ(selection.further_condition_on_samples(), "");
  selection.labels["host"] = {"a"};
  EXPECT_EQ(selection.further_condition_on_samples(), "");
  selection.from = 1000;
  EXPECT_EQ(selection.further_condition_on_samples(), " AND time >= fromUnixTimestamp({from:UInt32})");
  selection.from.reset();
  selection.to = 2000;
  EXPECT_EQ(selection.further_condition_on_samples(), " AND time < fromUnixTimestamp({to:UInt32})");
  selection.to.reset();
  selection.threads = {"worker"};
  EXPECT_EQ(selection.further_condition_on_samples(),
            " AND thread IN (SELECT unhex(arrayJoin({threads:Array(String)})))");
}

}  // namespace
}  // namespace perfsift::store
