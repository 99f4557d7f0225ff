#include "tools/top/row_sums.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace perfsift::tools::top_tests {
namespace {

using analysis::Amount;
using analysis::ReportRow;
using analysis::ReportTable;
using analysis::RowOrder;
using ::testing::ElementsAre;

// A table of functions with their own amounts, each the same in samples and value.
ReportTable table_of(const std::vector<std::pair<std::string_view, std::uint64_t>>& rows) {
  ReportTable table{.event_name = "cycles", .unit = {}, .all = {}, .rows = {}};
  for (const auto& [name, amount] : rows) {
    const Amount sum{.samples = amount, .value = amount};
    table.rows.push_back({.cells = {name}, .self = sum, .total = sum});
    table.all += sum;
  }
  return table;
}

std::vector<std::string> rows_of(const ReportTable& table) {
  std::vector<std::string> rows;
  for (const ReportRow& row : table.rows)
    rows.push_back(std::string(row.cells.front()) + ' ' + std::to_string(row.self.samples));
  return rows;
}

TEST(RowSums, EqualRowsAreAddedUpAndTheLargestComesFirst) {
  RowSums sums(RowOrder::self);
  sums.add({table_of({{"f", 3}, {"g", 2}})});
  sums.add({table_of({{"g", 5}, {"h", 1}})});
  const std::vector<ReportTable> tables = sums.tables();
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables.front().event_name, "cycles");
  EXPECT_EQ(tables.front().all, (Amount{.samples = 11, .value = 11}));
  EXPECT_THAT(rows_of(tables.front()), ElementsAre("g 7", "f 3", "h 1"));
}

TEST(RowSums, TextsNeedNotLiveAsLong) {
  RowSums sums(RowOrder::self);
  {
    const std::string name = "a name that is longer than what fits into a string itself";
    sums.add({table_of({{name, 1}})});
  }
  EXPECT_THAT(rows_of(sums.tables().front()),
              ElementsAre("a name that is longer than what fits into a string itself 1"));
}

TEST(RowSums, OrderByTotals) {
  ReportTable table = table_of({{"leaf", 5}, {"main", 0}});
  table.rows[1].total = {.samples = 5, .value = 6};
  RowSums sums(RowOrder::total);
  sums.add({table});
  EXPECT_THAT(rows_of(sums.tables().front()), ElementsAre("main 0", "leaf 5"));
}

TEST(RowSums, OfTooManyRowsTheSmallestBecomeOneAndNothingIsLost) {
  RowSums sums(RowOrder::self, 2);
  sums.add({table_of({{"a", 9}, {"b", 8}, {"c", 1}, {"d", 1}, {"e", 1}})});
  EXPECT_THAT(rows_of(sums.tables().front()), ElementsAre("a 9", "b 8", "[rows too small to keep] 3"));
  sums.add({table_of({{"f", 20}, {"g", 1}, {"h", 1}})});
  const ReportTable table = sums.tables().front();
  EXPECT_THAT(rows_of(table), ElementsAre("f 20", "[rows too small to keep] 13", "a 9"));
  EXPECT_EQ(table.all.samples, 42u);
}

TEST(RowSums, ClearForgetsAll) {
  RowSums sums(RowOrder::self);
  sums.add({table_of({{"f", 3}})});
  sums.clear();
  EXPECT_TRUE(sums.tables().empty());
}

}  // namespace
}  // namespace perfsift::tools::top_tests
