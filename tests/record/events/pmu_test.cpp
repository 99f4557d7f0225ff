// PMUs as sysfs describes them.
#include "record/events/pmu.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/record/events/machine_tree.h"

namespace perfsift::record {

TEST(Pmu, LowBitsOfAValueGoToTheFirstRange) {
  const PmuFormat format{.word = 1, .bits = {{0, 7}, {32, 35}}};
  reader::EventAttr attr;
  format.put(0xabc, attr);
  EXPECT_EQ(attr.config1, 0xa000000bcU);
  EXPECT_EQ(format.most(), 0xfffU);
  format.put(1, attr);
  EXPECT_EQ(attr.config1, 1U);
}

TEST(Pmu, AFormatOfAllBitsHoldsAnyNumber) {
  const PmuFormat format{.word = 3, .bits = {{0, 63}}};
  reader::EventAttr attr;
  format.put(~std::uint64_t{0}, attr);
  EXPECT_EQ(attr.config3, ~std::uint64_t{0});
  EXPECT_EQ(format.most(), ~std::uint64_t{0});
}

TEST(Pmu, CoresComeFirst) {
  const test::MachineTree tree("intel_alder_lake");
  std::vector<std::string> names;
  for (const Pmu& pmu : all_pmus(tree.sysfs())) names.push_back(pmu.name());
  EXPECT_EQ(names,
            (std::vector<std::string>{"cpu_atom", "cpu_core", "breakpoint", "intel_pt", "software", "tracepoint"}));
}

TEST(Pmu, AnswersToNamesWithoutPrefixAndNumber) {
  const test::MachineTree tree("intel_skylake_sp");
  const auto pmu = Pmu::open(tree.sysfs(), "uncore_imc_1");
  ASSERT_TRUE(pmu);
  for (const char* name : {"uncore_imc_1", "uncore_imc", "uncore_imc_*", "imc_1", "imc", "im?_[01]", "*"})
    EXPECT_TRUE(pmu->answers_to(name)) << name;
  for (const char* name : {"uncore_im", "imc_0", "1", "", "uncore", "uncore_imc_"})
    EXPECT_FALSE(pmu->answers_to(name)) << name;
}

TEST(Pmu, FilesBesideAnAliasAreNoAliases) {
  const test::MachineTree tree("intel_skylake_sp");
  const auto power = Pmu::open(tree.sysfs(), "power");
  ASSERT_TRUE(power);
  EXPECT_EQ(power->alias_names(), (std::vector<std::string>{"energy-pkg", "energy-ram"}));
  EXPECT_FALSE(power->alias("energy-pkg.unit"));
  EXPECT_FALSE(power->alias("../type"));
  EXPECT_FALSE(power->format("../type"));
}

TEST(NumberText, IsAWholeNumberOrNothing) {
  EXPECT_EQ(read_number("010"), 10U);  // as perf reads numbers
  EXPECT_EQ(read_number("0xFFFFFFFFFFFFFFFF"), ~std::uint64_t{0});
  for (const char* text : {"", "0x", "1x", "-1", "+1", " 1", "18446744073709551616", "0x10000000000000000"})
    EXPECT_FALSE(read_number(text)) << text;
}

TEST(NumberText, RangesAreThoseOfSysfs) {
  const auto ranges = read_ranges("0-3,8");
  ASSERT_TRUE(ranges);
  ASSERT_EQ(ranges->size(), 2U);
  EXPECT_EQ((*ranges)[0].last, 3U);
  EXPECT_EQ((*ranges)[1].first, 8U);
  EXPECT_EQ((*ranges)[1].last, 8U);
  EXPECT_TRUE(read_ranges("")->empty());
  for (const char* text : {"3-0", "a", "1-", "-1", "0-99999999", ",1"}) EXPECT_FALSE(read_ranges(text)) << text;
}

}  // namespace perfsift::record
