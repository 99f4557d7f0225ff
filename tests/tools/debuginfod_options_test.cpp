#include "tools/debuginfod_options.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/support/paths.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools {
namespace {

using namespace std::chrono_literals;

TEST(DebuginfodOptions, SizesHaveUnits) {
  EXPECT_EQ(parse_bytes("0"), 0u);
  EXPECT_EQ(parse_bytes("4096"), 4096u);
  EXPECT_EQ(parse_bytes("3k"), 3072u);
  EXPECT_EQ(parse_bytes("500M"), 524'288'000u);
  EXPECT_EQ(parse_bytes("2G"), 2'147'483'648u);
  for (const char* wrong : {"", "M", "-1", "1.5G", "5MB", "5 M", "9000000000G"})
    EXPECT_THROW(parse_bytes(wrong), boost::program_options::error) << wrong;
}

TEST(DebuginfodOptions, TimesHaveUnits) {
  EXPECT_EQ(parse_time("30"), 30s);
  EXPECT_EQ(parse_time("30s"), 30s);
  EXPECT_EQ(parse_time("250ms"), 250ms);
  EXPECT_EQ(parse_time("2m"), 120s);
  EXPECT_EQ(parse_time("9223372036854775"), 1'000'000'000s) << "so long that it can still be waited for";
  for (const char* wrong : {"", "s", "-1s", "1h", "1.5s", "9223372036854775807"})
    EXPECT_THROW(parse_time(wrong), boost::program_options::error) << wrong;
}

TEST(DebuginfodOptions, WithoutServersNobodyCanBeAsked) {
  ASSERT_EQ(setenv("DEBUGINFOD_URLS", " ", 1), 0);
  const Outcome outcome = run_command("fold", {"--debuginfod", test::source_path("testdata/demo.data")});
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_NE(outcome.err.find("DEBUGINFOD_URLS names no servers"), std::string::npos) << outcome.err;
}

TEST(DebuginfodOptions, AWrongLimitIsAMistakeEvenWithoutDebuginfod) {
  const Outcome outcome =
      run_command("fold", {"--debuginfod-max-bytes", "many", test::source_path("testdata/demo.data")});
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_NE(outcome.err.find("--debuginfod-max-bytes many: not a size such as 500M"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace perfsift::tools
