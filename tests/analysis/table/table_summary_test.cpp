#include "analysis/table/table_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/table/table_builder.h"

namespace perfsift::analysis {
namespace {

using testing::ElementsAre;

TEST(TableSummary, OfNoSamples) {
  const TableSummary summary;
  EXPECT_EQ(summary.amount(), Amount());
  EXPECT_TRUE(summary.times().empty());
  EXPECT_TRUE(summary.cpus().empty());
  EXPECT_FALSE(summary.only_event());
  EXPECT_FALSE(summary.only_value());
}

TEST(TableSummary, CountsAndTellsWhatAllHave) {
  TableSummary summary;
  summary.add({.time = 20, .value = 5, .context = 2, .cpu = 3, .event = 1});
  summary.add({.time = reader::no_time, .value = 5, .context = 0, .cpu = -1, .event = 1});
  summary.add({.time = 10, .value = 5, .context = 2, .cpu = 3, .event = 1});
  EXPECT_EQ(summary.amount(), (Amount{.samples = 3, .value = 15}));
  EXPECT_EQ(summary.times().first, 10u);
  EXPECT_EQ(summary.times().last, 20u);
  EXPECT_THAT(summary.cpus(), ElementsAre(-1, 3));
  EXPECT_THAT(summary.of_context(), ElementsAre(1, 0, 2));
  EXPECT_EQ(summary.only_event(), 1u);
  EXPECT_EQ(summary.only_value(), 5u);
  summary.add({.value = 6, .event = 2});
  EXPECT_FALSE(summary.only_event());
  EXPECT_FALSE(summary.only_value());
}

TEST(TableSummary, OfTwoPartsIsThatOfAllSamples) {
  const SampleRow samples[] = {{.time = 3, .value = 1, .context = 4, .cpu = 7, .event = 1},
                               {.time = 9, .value = 1, .context = 0, .cpu = 2, .event = 1},
                               {.time = 1, .value = 1, .context = 1, .cpu = 7, .event = 2}};
  for (std::size_t cut = 0; cut <= std::size(samples); ++cut) {
    TableSummary first, second;
    for (std::size_t i = 0; i < std::size(samples); ++i) (i < cut ? first : second).add(samples[i]);
    first.add(second);
    EXPECT_EQ(first.amount(), (Amount{.samples = 3, .value = 3}));
    EXPECT_EQ(first.times().first, 1u);
    EXPECT_EQ(first.times().last, 9u);
    EXPECT_THAT(first.cpus(), ElementsAre(2, 7));
    EXPECT_THAT(first.of_context(), ElementsAre(1, 1, 0, 0, 1));
    EXPECT_FALSE(first.only_event());
    EXPECT_EQ(first.only_value(), 1u);
  }
}

TEST(TableBuilder, SummaryHasAllSamplesButUnwantedOnes) {
  TableBuilder rows;
  TableBuilder::Part part(rows);
  part.add({.time = 100, .value = 1, .stack = 0, .cpu = 1});
  part.add({.time = 200, .value = 2, .stack = 1, .cpu = 2});
  part.add({.time = 300, .value = 4, .stack = 2, .cpu = 3});
  part.finish([](std::uint32_t stack) { return stack == 1 ? TableBuilder::Part::unwanted : stack + 10; });
  TableBuilder::Part* const parts[] = {&part};
  rows.join(parts);
  const SampleRow more{.time = 50, .value = 8, .stack = 5, .cpu = 0};
  rows.append({&more, 1});
  const SampleTable table = std::move(rows).seal();
  ASSERT_EQ(table.samples().size(), 3u);
  EXPECT_EQ(table.samples()[0].stack, 10u);
  EXPECT_EQ(table.samples()[1].stack, 12u);
  EXPECT_EQ(table.samples()[2].stack, 5u);
  EXPECT_EQ(table.summary().amount(), (Amount{.samples = 3, .value = 13}));
  EXPECT_THAT(table.summary().cpus(), ElementsAre(0, 1, 3));
  EXPECT_EQ(table.summary().times().first, 50u);
  EXPECT_EQ(table.summary().times().last, 300u);
}

}  // namespace
}  // namespace perfsift::analysis
