// The arguments of perf script's options as expressions. perf's sources decide their meaning: strlist.c, intlist.c and
// time-utils.c in tools/perf/util.
#include "filter/perf_lists.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/support/temporary.h"

namespace perfsift::filter {
namespace {

std::string time(std::string_view ranges) { return time_expression("--time", ranges); }

TEST(PerfLists, NamesHaveNoWildcards) {
  EXPECT_EQ(names_expression("comm", "--comms", "a,b c"), R"(comm in {"a", "b c"})");
  EXPECT_EQ(names_expression("comm", "--comms", R"(a*,"b\)"), R"(comm in {"a\*", "\"b\\"})");
  EXPECT_THROW(names_expression("comm", "--comms", ","), UsageError);
}

TEST(PerfLists, NamesMayStandInAFile) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.write("names", "one\n\ntwo words\n");
  EXPECT_EQ(names_expression("comm", "--comms", "zero,file://" + path), R"(comm in {"zero", "one", "two words"})");
  EXPECT_THROW(names_expression("comm", "--comms", "file:///nowhere"), InputError);
}

TEST(PerfLists, SymbolsMayBeAddresses) {
  EXPECT_EQ(symbols_expression("-S", "main,0x401000"), R"(sym in {"main"} || ip in {0x401000})");
  EXPECT_EQ(symbols_expression("-S", "0x401000"), "ip in {0x401000}");
  EXPECT_EQ(symbols_expression("-S", "0xylophone,add"), R"(sym in {"0xylophone", "add"})");
}

TEST(PerfLists, IdsAndCpusAreNumbers) {
  EXPECT_EQ(ids_expression("pid", "--pid", "1,-1,3"), "pid in {1, -1, 3}");
  EXPECT_EQ(cpus_expression("-C", "0,2-4"), "cpu in {0, 2..4}");
  for (const char* wrong : {"", "1,", "x", "1 2"}) EXPECT_THROW(ids_expression("pid", "--pid", wrong), UsageError);
  for (const char* wrong : {"", "4-2", "1-2-3", "-1"}) EXPECT_THROW(cpus_expression("-C", wrong), UsageError);
}

TEST(PerfLists, TimesAreRangesOfSeconds) {
  EXPECT_EQ(time("12.5,13"), "time >= 12.5s && time <= 13s");
  EXPECT_EQ(time("12.5,"), "time >= 12.5s");
  EXPECT_EQ(time(",13.123456789"), "time <= 13.123456789s");
  EXPECT_EQ(time("1,2 3,4"), "time >= 1s && time <= 2s || time >= 3s && time <= 4s");
  for (const char* wrong : {"12.5", "a,b", "1,2,3", "1.2.3,4", "1.0123456789,2", "-1,2", " "}) {
    EXPECT_THROW(time(wrong), UsageError) << wrong;
  }
}

TEST(PerfLists, TimesAreSharesOfTheRecording) {
  EXPECT_EQ(time("10%/2"), "time in 10%..20%");
  EXPECT_EQ(time("0%-10%,30%-40.5%"), "time in 0%..10% || time in 30%..40.5%");
  EXPECT_EQ(time("50%"), "time in 0%..50%");
  for (const char* wrong : {"10%/0", "10%/11", "10/2", "20%-10%", "0%-101%", "x%", "10%-20%-30%"}) {
    EXPECT_THROW(time(wrong), UsageError) << wrong;
  }
}

}  // namespace
}  // namespace perfsift::filter
