// perfsift merge: its sums are compared with perfsift fold of the same inputs, which does not know runs.

#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <zlib.h>

#include "analysis/input/pprof_profile.h"
#include "reader/input_file.h"
#include "tests/support/paths.h"
#include "tests/support/pprof_bytes.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::merging {  // a unity build compiles other tests in the same file
namespace {

using testing::Contains;
using testing::HasSubstr;

// The uncompressed bytes of a profile.
std::string bytes_of(const std::string& path) {
  reader::InputFile input = reader::open_input(path);
  if (input.source != nullptr) input.mapped = reader::read_all(*input.source);
  const Bytes bytes = input.mapped.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::string> comments_of(const std::string& path) {
  const std::string bytes = bytes_of(path);
  const analysis::PprofProfile profile(std::as_bytes(std::span(bytes)));
  return {profile.comments().begin(), profile.comments().end()};
}

// The facts of a profile without the digest.
std::vector<std::string> facts_of(const std::string& path) {
  std::vector<std::string> facts = comments_of(path);
  facts.pop_back();
  return facts;
}

class Merge : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return directory_.path() / name; }

  Outcome merge_into(const std::string& name, options::Arguments arguments) const {
    arguments.insert(arguments.end(), {"-q", "-o", path(name)});
    return run_command("merge", arguments);
  }

  static std::string folded(options::Arguments arguments) {
    arguments.insert(arguments.end(), {"-q", "--no-comm"});
    return run_command("fold", arguments).out;
  }

  // A stored profile of both recordings, in which a text is replaced by another text of the same size.
  std::string changed(const std::string& from, const std::string& to) const {
    merge_into("whole.pb.gz", {demo_, mixed_});
    std::string bytes = bytes_of(path("whole.pb.gz"));
    const std::size_t at = bytes.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    if (at != std::string::npos) bytes.replace(at, from.size(), to);
    return directory_.write("changed.pb", bytes);
  }

  test::TemporaryDirectory directory_;
  const std::string demo_ = test::source_path("testdata/demo.data"),
                    mixed_ = test::source_path("testdata/oracle/mixed.data");
};

// Another program may have a label of this name.
TEST_F(Merge, NumberOfARunInAForeignProfileIsNoRun) {
  test::PprofBytes profile(std::vector<test::PprofType>{{"samples", "count"}});
  for (const std::uint64_t run : {0u, 1u, 1'000'000u})
    profile.add("leaf", {7}, {{.key = "run", .text = "", .number = run, .unit = ""}});
  std::ofstream(path("foreign.pb"), std::ios::binary) << profile.bytes();
  EXPECT_EQ(merge_into("one.pb.gz", {path("foreign.pb")}).status, done);
  EXPECT_EQ(folded({path("one.pb.gz")}), "main;leaf 21\n");
  EXPECT_THAT(facts_of(path("one.pb.gz")), Contains("perfsift-run.0.samples=21"));
}

TEST_F(Merge, TheSumIsThatOfTheInputs) {
  const std::string text = directory_.write("in.folded", "a;b 3\na;c 4\n");
  for (const std::string one_run : {"", "--one-run"}) {
    options::Arguments arguments{demo_, mixed_, text};
    if (!one_run.empty()) arguments.push_back(one_run);
    ASSERT_EQ(merge_into("all.pb.gz", arguments).status, done);
    EXPECT_EQ(folded({path("all.pb.gz")}), folded({demo_, mixed_, text}));
    EXPECT_EQ(folded({"--weight", "samples", path("all.pb.gz")}), folded({"--weight", "samples", demo_, mixed_, text}));
  }
}

TEST_F(Merge, NeitherOrderNorThreadsChangeTheBytes) {
  ASSERT_EQ(merge_into("a.pb.gz", {"-j1", demo_, mixed_}).status, done);
  ASSERT_EQ(merge_into("b.pb.gz", {"-j5", mixed_, demo_}).status, done);
  EXPECT_TRUE(test::content_of(path("a.pb.gz")) == test::content_of(path("b.pb.gz")));
}

TEST_F(Merge, EachInputIsARun) {
  ASSERT_EQ(merge_into("both.pb.gz", {mixed_, demo_}).status, done);
  const std::vector<std::string> comments = comments_of(path("both.pb.gz"));
  EXPECT_THAT(comments, Contains("perfsift-run.0.name=" + demo_));
  EXPECT_THAT(comments, Contains("perfsift-run.1.name=" + mixed_));
  ASSERT_EQ(merge_into("one.pb.gz", {"--one-run", mixed_, demo_}).status, done);
  const std::vector<std::string> one = comments_of(path("one.pb.gz"));
  EXPECT_THAT(one, Contains("perfsift-run.0.name=" + demo_ + " and 1 more"));
  EXPECT_THAT(one, Not(Contains(testing::StartsWith("perfsift-run.1."))));
}

TEST_F(Merge, AStoredProfileBringsItsRuns) {
  const std::string text = directory_.write("z.folded", "a;b 3\n");
  ASSERT_EQ(merge_into("both.pb.gz", {mixed_, demo_}).status, done);
  ASSERT_EQ(merge_into("three.pb.gz", {text, path("both.pb.gz")}).status, done);
  const std::vector<std::string> two = facts_of(path("both.pb.gz")), three = facts_of(path("three.pb.gz"));
  EXPECT_THAT(three, testing::IsSupersetOf(two));
  EXPECT_THAT(three, Contains("perfsift-run.2.name=" + text));
  EXPECT_THAT(three, Contains("perfsift-run.2.samples=3"));
  EXPECT_EQ(folded({path("three.pb.gz")}), folded({demo_, mixed_, text}));
}

TEST_F(Merge, AStoredProfileIsWrittenAgainAsItWas) {
  ASSERT_EQ(merge_into("a.pb.gz", {mixed_, demo_}).status, done);
  ASSERT_EQ(merge_into("b.pb.gz", {path("a.pb.gz")}).status, done);
  ASSERT_EQ(merge_into("c.pb.gz", {path("b.pb.gz")}).status, done);
  EXPECT_EQ(folded({path("a.pb.gz")}), folded({path("b.pb.gz")}));
  EXPECT_EQ(facts_of(path("a.pb.gz")), facts_of(path("b.pb.gz")));
  EXPECT_TRUE(test::content_of(path("b.pb.gz")) == test::content_of(path("c.pb.gz")));
}

TEST_F(Merge, AChangedProfileIsRefused) {
  Outcome outcome = merge_into("out.pb.gz", {changed("perfsift-runs=1", "perfsift-runs=9")});
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_THAT(outcome.err, HasSubstr("changed.pb: its runs are stored in version 9"));
  outcome = merge_into("out.pb.gz", {changed("perfsift-run.0.samples=", "perfsift-run.0.samples=9")});
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_THAT(outcome.err, HasSubstr("changed.pb: "));
  EXPECT_FALSE(std::filesystem::exists(path("out.pb.gz")));
  outcome = merge_into("out.pb.gz", {changed("perfsift-run.0.name=", "perfsift-run.0.nose=")});
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_THAT(outcome.err, HasSubstr("changed.pb: its digest is that of other bytes: the file was changed"));
}

// The digest is the CRC-32 of zlib of all bytes before its digits.
TEST_F(Merge, TheDigestIsThatOfAllBytes) {
  ASSERT_EQ(merge_into("stored.pb.gz", {demo_, mixed_}).status, done);
  const std::string bytes = bytes_of(path("stored.pb.gz"));
  const auto crc = crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size() - 8));
  EXPECT_EQ(comments_of(path("stored.pb.gz")).back(), fmt::format("perfsift-digest={:08x}", crc));
  EXPECT_TRUE(bytes.ends_with(fmt::format("perfsift-digest={:08x}", crc)));
}

// The bit may be anywhere, while the compression stays valid: in samples, labels, names, comments, the version and the
// digest.
TEST_F(Merge, OneChangedBitIsRefused) {
  ASSERT_EQ(merge_into("stored.pb.gz", {demo_}).status, done);
  const std::string bytes = bytes_of(path("stored.pb.gz"));
  std::vector<std::size_t> places{bytes.find("perfsift-runs=1.1") + 3, bytes.find("perfsift-runs=1.1") + 16,
                                  bytes.size() - 1, bytes.size() - 12};
  for (std::size_t i = 0; i < 120; ++i) places.push_back(i * (bytes.size() - 1) / 120);
  for (const std::size_t place : places) {
    std::string flipped = bytes;
    flipped[place] = static_cast<char>(flipped[place] ^ (1 << place % 7));
    const std::string file = directory_.write("flipped.pb", flipped);
    EXPECT_NE(merge_into("out.pb.gz", {file}).status, done) << place;
    EXPECT_NE(run_command("check", {"-q", "--baseline", file, "--candidate", demo_}).status, done) << place;
  }
  EXPECT_EQ(merge_into("out.pb.gz", {directory_.write("same.pb", bytes)}).status, done);
}

TEST_F(Merge, OnlyWholeResultsAreWritten) {
  const Outcome outcome = merge_into("out.pb.gz", {demo_, path("missing.data")});
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_FALSE(std::filesystem::exists(path("out.pb.gz")));
  EXPECT_EQ(merge_into("out.pb.gz", {"--comms", "nobody", demo_}).status, check_failed);
  EXPECT_FALSE(std::filesystem::exists(path("out.pb.gz")));
}

TEST_F(Merge, TheOutputMustBeNamedAndBeNoInput) {
  EXPECT_THAT(run_command("merge", {demo_}).err, HasSubstr("-o NAME.pb.gz"));
  const std::string text = directory_.write("in.folded", "a;b 3\n");
  EXPECT_EQ(merge_into("in.folded", {text}).status, wrong_usage);
  EXPECT_EQ(test::content_of(text), "a;b 3\n");
}

}  // namespace
}  // namespace perfsift::tools::merging
