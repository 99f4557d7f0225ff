#include "analysis/samples/event_selection.h"

#include <gtest/gtest.h>

namespace perfsift::analysis {
namespace {

TEST(MetricName, TheKindsOfCoresOfAHybridCpuMeasureTheSame) {
  EXPECT_EQ(metric_name("cpu_core/cycles/"), "cycles");
  EXPECT_EQ(metric_name("cpu_atom/cycles/u"), "cycles:u");
  EXPECT_EQ(metric_name("cpu_atom/cycles/:u"), "cycles:u");
  EXPECT_EQ(metric_name("cpu_lowpower/cycles/"), "cycles");
  EXPECT_EQ(metric_name("cpu_core/mem-loads,ldlat=30/P"), "mem-loads,ldlat=30:P");
}

TEST(MetricName, OtherNamesAreWhatTheyAre) {
  for (const char* name : {"cycles:u", "cpu/cycles/", "cpu_core", "cpu_core/cycles", "sched:sched_switch", ""}) {
    EXPECT_EQ(metric_name(name), name);
  }
}

TEST(EventSelection, APatternMeansANameWithAndWithoutModifiers) {
  EXPECT_TRUE(selects("cycles:u", "cycles:u"));
  EXPECT_TRUE(selects("cycles", "cycles:u"));
  EXPECT_TRUE(selects("cycles", "cycles:ppp"));
  EXPECT_FALSE(selects("cycles:k", "cycles:u"));
  EXPECT_FALSE(selects("cycles:u", "cycles"));
  EXPECT_FALSE(selects("cycle", "cycles"));
}

// The part after a tracepoint's colon is not a modifier, even if it has only letters of modifiers.
TEST(EventSelection, ATracepointIsMeantByItsWholeName) {
  EXPECT_TRUE(selects("sched:sched_switch", "sched:sched_switch"));
  EXPECT_FALSE(selects("sched", "sched:sched_switch"));
  EXPECT_TRUE(selects("sched:*", "sched:sched_switch"));
}

TEST(EventSelection, APatternMayHaveClassesInBrackets) {
  EXPECT_TRUE(selects("syscalls:sys_enter_[rw]*", "syscalls:sys_enter_write"));
  EXPECT_FALSE(selects("syscalls:sys_enter_[!rw]*", "syscalls:sys_enter_write"));
}

TEST(EventSelection, APatternMeansBothKindsOfCoresOrOne) {
  EXPECT_TRUE(selects("cycles", "cpu_core/cycles/u"));
  EXPECT_TRUE(selects("cycles:u", "cpu_atom/cycles/u"));
  EXPECT_TRUE(selects("cpu_atom/cycles/u", "cpu_atom/cycles/u"));
  EXPECT_FALSE(selects("cpu_atom/cycles/u", "cpu_core/cycles/u"));
}

TEST(EventSelection, WithoutPatternsEveryEventCounts) {
  EXPECT_EQ(EventSelection({})("cycles:u"), "cycles:u");
  EXPECT_EQ(EventSelection({})("cpu_core/cycles/"), "cycles");
}

TEST(EventSelection, OneOfThePatternsIsEnough) {
  const EventSelection selection({"instructions", "cyc*"});
  EXPECT_EQ(selection("cycles:u"), "cycles:u");
  EXPECT_EQ(selection("instructions:u"), "instructions:u");
  EXPECT_EQ(selection("cache-misses"), std::nullopt);
}

TEST(EventSelection, SaysWhichPatternMeansNothing) {
  const EventSelection selection({"cycles", "cache-*"});
  EXPECT_EQ(selection.unmatched({"cycles:u", "cache-misses"}), "");
  EXPECT_EQ(selection.unmatched({"cycles:u"}), "cache-*");
  EXPECT_EQ(selection.unmatched({}), "cycles");
}

}  // namespace
}  // namespace perfsift::analysis
