#include "symbolize/search/debuginfod_servers.h"

#include <chrono>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "symbolize/search/debuginfod.h"
#include "tests/support/temporary.h"

namespace perfsift::symbolize {
namespace {

using namespace std::chrono_literals;
using Kind = DebuginfodServerAnswer::Kind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// debuginfod_find_debuginfo(3): the servers are separated by spaces; "ima:" words are about signatures.
TEST(DebuginfodServers, AreWordsOfTheVariable) {
  EXPECT_THAT(debuginfod_servers(""), IsEmpty());
  EXPECT_THAT(debuginfod_servers("  "), IsEmpty());
  EXPECT_THAT(debuginfod_servers("https://one"), ElementsAre("https://one"));
  EXPECT_THAT(debuginfod_servers(" ima:enforcing https://one  ima:ignore http://two:8002/ "),
              ElementsAre("https://one", "http://two:8002/"));
}

// libdebuginfod takes folders, too. Servers of HTTP are asked by tests/oracle/doctor.sh.
TEST(DebuginfodServers, AFolderHasAFileOrNot) {
  if (const std::string why = why_no_debuginfod(); !why.empty()) GTEST_SKIP() << why;
  const test::TemporaryDirectory folder;
  const BuildId id = BuildId::from_hex("00112233445566778899aabbccddeeff00112233");
  folder.write("buildid/00112233445566778899aabbccddeeff00112233/debuginfo", "ELF");
  folder.write("other/empty", "");
  const std::string server = "file://" + folder.path().string();
  const auto answers =
      ask_debuginfod_servers({server, server + '/', server + "/other", "unknown://" + server}, id, 30s);
  ASSERT_EQ(answers.size(), 4);
  EXPECT_EQ(answers[0].kind, Kind::has_file) << answers[0].why;
  EXPECT_EQ(answers[1].kind, Kind::has_file) << answers[1].why;
  EXPECT_EQ(answers[2].kind, Kind::has_no_file) << answers[2].why;
  EXPECT_EQ(answers[2].server, server + "/other");
  EXPECT_EQ(answers[3].kind, Kind::failed);
  EXPECT_THAT(answers[3].why, HasSubstr("unknown"));
}

}  // namespace
}  // namespace perfsift::symbolize
