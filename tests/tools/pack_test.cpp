// perfsift pack: its outputs and refusals. tests/oracle/pack.sh compares what packed recordings show.

#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader/recording.h"
#include "tests/support/paths.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::packing {  // a unity build compiles other tests in the same file
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string symfs = test::source_path("testdata/symfs");
const std::string demo = test::source_path("testdata/demo.data");

std::string copy_of_demo(const test::TemporaryDirectory& folder) {
  return folder.write("app.data", test::content_of(demo));
}

TEST(Pack, WritesBesideTheRecordingUnlessAFileIsNamed) {
  const test::TemporaryDirectory folder;
  const std::string recording = copy_of_demo(folder);
  const Outcome outcome = run_command("pack", {"--symfs", symfs, "--no-cache", recording});
  EXPECT_EQ(outcome.status, done) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("with the recording (85K) and 1 file of its programs"));
  const auto packed = reader::Recording::open(recording + ".tar.zst");
  ASSERT_FALSE(packed->timeline().binaries().empty());
  EXPECT_NE(packed->timeline().binaries().front().packed, nullptr);
}

TEST(Pack, CanBeReadByThoseWhoCanReadTheRecording) {
  const test::TemporaryDirectory folder;
  const std::string recording = copy_of_demo(folder);
  ASSERT_EQ(chmod(recording.c_str(), 0640), 0);
  ASSERT_EQ(run_command("pack", {"-q", "--symfs", symfs, recording}).status, done);
  struct stat status {};
  ASSERT_EQ(stat((recording + ".tar.zst").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0007, 0);
}

TEST(Pack, SaysWhatIsMissing) {
  const test::TemporaryDirectory folder;
  const Outcome outcome = run_command("pack", {"--buildid-dir", folder.path(), "--no-cache", copy_of_demo(folder)});
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(outcome.err, HasSubstr("/opt/perfsift-demo/demo: not packed: the file is not on this machine"));
  EXPECT_THAT(outcome.out, HasSubstr("missing"));
}

TEST(Pack, NeverOverwritesItsInput) {
  const test::TemporaryDirectory folder;
  const std::string recording = copy_of_demo(folder);
  EXPECT_EQ(run_command("pack", {recording, "-o", recording}).status, wrong_usage);
  EXPECT_EQ(test::content_of(recording), test::content_of(demo));
}

TEST(Pack, AFullOutputIsAnErrorAndLeavesNothing) {
  const test::TemporaryDirectory folder;
  const Outcome outcome = run_command("pack", {"-q", "--symfs", symfs, demo, "-o", "/dev/full"});
  EXPECT_NE(outcome.status, done);
  EXPECT_THAT(outcome.err, HasSubstr("No space left"));
}

TEST(Pack, StandardInputNeedsANameForTheOutput) {
  const Outcome outcome = run_command("pack", {"-"});
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_THAT(outcome.err, HasSubstr("-o FILE"));
}

TEST(Pack, TwiceGivesTheSameBytes) {
  const test::TemporaryDirectory folder;
  const std::string recording = copy_of_demo(folder);
  for (const char* const name : {"first", "second"})
    ASSERT_EQ(run_command("pack", {"-q", "-j", *name == 'f' ? "1" : "3", "--symfs", symfs, recording, "-o",
                                   (folder.path() / name).string()})
                  .status,
              done);
  EXPECT_EQ(test::content_of((folder.path() / "first").string()),
            test::content_of((folder.path() / "second").string()));
}

TEST(Pack, NamesOnlyHasNoBinary) {
  const test::TemporaryDirectory folder;
  const std::string output = (folder.path() / "names").string();
  const Outcome outcome = run_command("pack", {"--names-only", "--symfs", symfs, demo, "-o", output});
  EXPECT_EQ(outcome.status, done);
  const Outcome whole = run_command("fold", {"--symfs", symfs, demo});
  EXPECT_EQ(run_command("fold", {output}).out, whole.out);
  struct stat status {};
  ASSERT_EQ(stat(output.c_str(), &status), 0);
  EXPECT_LT(status.st_size, 100'000);  // the binary alone has a million bytes
}

TEST(Pack, ProfilesAreNotPacked) {
  const test::TemporaryDirectory folder;
  const Outcome outcome =
      run_command("pack", {folder.write("folded", "a;b 1\n"), "-o", (folder.path() / "out").string()});
  EXPECT_EQ(outcome.status, input_unusable);
}

}  // namespace
}  // namespace perfsift::tools::packing
