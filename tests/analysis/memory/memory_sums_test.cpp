#include "analysis/memory/memory_sums.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace perfsift::analysis::memory_sums_tests {  // a unity build compiles other tests in the same file
namespace {

constexpr std::uint64_t load = 2, store = 4, locked = std::uint64_t{2} << 24;

// The texts of an access to a numbered variable.
class FakeCells {
 public:
  explicit FakeCells(FrameTable& texts) : texts_(texts) {}

  std::uint64_t number = 0;
  bool mapped() const { return number != 0; }
  FrameId cell(Key key) { return texts_.intern((key == Key::variable ? "v" : "s") + std::to_string(number)); }

 private:
  FrameTable& texts_;
};

class MemorySumsTest : public testing::Test {
 protected:
  MemorySumsTest() : cells_(texts_) {}

  void add(MemorySums& sums, std::uint64_t number, std::uint64_t source, std::uint64_t latency) {
    cells_.number = number;
    sums.add({.event = 3, .source_bits = source, .address = 8, .latency = latency}, cells_);
  }

  FrameTable texts_;
  FakeCells cells_;
  const std::vector<Keys> tables_{{Key::operation, Key::locked}, {Key::variable}};
};

TEST_F(MemorySumsTest, ARowHasAllGroupsWithItsTexts) {
  MemorySums sums(tables_, texts_);
  add(sums, 1, load, 10);
  add(sums, 2, load, 0);
  add(sums, 2, load | locked, 7);
  add(sums, 0, store, 0);
  EXPECT_EQ(sums.accesses(), 4u);
  const MemoryReport report = std::move(sums).finish(MemoryOrder::samples);
  EXPECT_EQ(report.all.amount, (Amount{.samples = 4, .value = 19}));
  EXPECT_EQ(report.all.latency.count(), 2u) << "an access without latency is in no percentile";
  EXPECT_EQ(report.counts.locked, 1u);
  EXPECT_EQ(report.counts.unmapped, 1u);
  EXPECT_EQ(report.events, std::set<std::uint32_t>{3});
  const MemoryTable& operations = report.tables[0];
  ASSERT_EQ(operations.rows.size(), 3u);
  EXPECT_EQ(operations.rows[0].cells, (std::vector<std::string_view>{"LOAD", "No"}));
  EXPECT_EQ(operations.rows[0].sums.amount, (Amount{.samples = 2, .value = 11}));
  ASSERT_EQ(report.tables[1].rows.size(), 3u);
  EXPECT_EQ(report.tables[1].rows[0].cells, std::vector<std::string_view>{"v2"});
}

TEST_F(MemorySumsTest, SeveralAccessesAtOnceHaveTheirSums) {
  MemorySums sums(tables_, texts_);
  cells_.number = 1;
  sums.add({.event = 3, .source_bits = load, .address = 8, .latency = 10}, cells_, {.samples = 3, .value = 32});
  sums.add({.event = 3, .source_bits = store, .address = 8}, cells_, {.samples = 2, .value = 2});
  sums.add_nodes(NodeMatch::other, 5);
  EXPECT_EQ(sums.accesses(), 5u);
  const MemoryReport report = std::move(sums).finish(MemoryOrder::samples);
  EXPECT_EQ(report.all.amount, (Amount{.samples = 5, .value = 34}));
  EXPECT_EQ(report.all.loads, 3u);
  EXPECT_EQ(report.all.stores, 2u);
  EXPECT_EQ(report.all.latency.count(), 3u);
  EXPECT_EQ(report.all.latency.sum(), 32u);
  EXPECT_EQ(report.all.latency.max(), 11u);
  EXPECT_EQ(report.on_other_node, 5u);
  EXPECT_EQ(report.counts.loads, 3u);
}

// There are more groups than are kept. No group is lost, and none counts twice.
TEST_F(MemorySumsTest, ManyGroupsInTwoThreads) {
  constexpr std::uint64_t variables = 40'000;
  MemorySums first(tables_, texts_), second(tables_, texts_);
  for (std::uint64_t i = 0; i < 2 * variables; ++i) add(i % 3 == 0 ? second : first, i % variables, load, i % 7);
  first.add(std::move(second));
  EXPECT_EQ(first.accesses(), 2 * variables);
  const MemoryReport report = std::move(first).finish(MemoryOrder::samples);
  EXPECT_EQ(report.counts.loads, 2 * variables);
  ASSERT_EQ(report.tables[1].rows.size(), variables);
  for (const MemoryRow& row : report.tables[1].rows) ASSERT_EQ(row.sums.amount.samples, 2u) << row.cells[0];
}

}  // namespace
}  // namespace perfsift::analysis::memory_sums_tests
