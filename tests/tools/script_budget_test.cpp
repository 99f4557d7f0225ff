// The exit status of perfsift script, on a recording with losses.

#include <gmock/gmock.h>

#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools {
namespace {

using reader::RecordType;
using ::testing::HasSubstr;

class ScriptBudget : public ::testing::Test {
 protected:
  // Two samples whose code is in no mapping, and two lost samples.
  static std::vector<std::byte> lossy() {
    test::RecordingBuilder in;
    in.timed_event().sample_at(10).sample_at(11);
    return in.record_at(12, RecordType::lost_samples, in.bytes().u64(2)).file();
  }
  test::TemporaryDirectory directory_;
  std::string file_ = directory_.write("lossy.data", lossy());
};

TEST_F(ScriptBudget, FailsAfterPrintingEverything) {
  const Outcome good = run_command("script", {"-q", "--max-lost", "50", "--max-unresolved", "100", file_});
  EXPECT_EQ(good.status, done);
  EXPECT_EQ(good.out, run_command("script", {"-q", file_}).out);

  const Outcome bad = run_command("script", {"-q", "--max-lost", "49", file_});
  EXPECT_EQ(bad.status, check_failed);
  EXPECT_EQ(bad.out, good.out);
  EXPECT_EQ(bad.err, "perfsift: 50 % of the samples were lost (2 of 4), more than --max-lost 49 allows\n");
  EXPECT_EQ(run_command("script", {"-q", "--max-unresolved", "99", file_}).status, check_failed);
}

TEST_F(ScriptBudget, CannotBeKeptByAHeader) {
  const Outcome outcome = run_command("script", {"--header-only", "--max-lost", "1", file_});
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_THAT(outcome.err, HasSubstr("--header-only reads no samples"));
}

}  // namespace
}  // namespace perfsift::tools
