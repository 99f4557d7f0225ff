// A result without samples causes a warning, or a failed check with --fail-empty.

#include <filesystem>

#include <gmock/gmock.h>

#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools {
namespace {

using test::RecordingBuilder;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* nobody = "0 of 2 samples match; `perfsift info` shows what the recording holds";
constexpr const char* no_samples = "holds no samples; `perfsift info` shows what the recording holds";

class EmptyResult : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return directory_.path() / name; }

  // Checks the default, --quiet, and --fail-empty.
  void expect_told(std::string_view command, const options::Arguments& arguments, const std::string& file,
                   const std::string& text) const {
    const auto with = [&](const char* option) {
      options::Arguments all = arguments;
      all.emplace_back(option);
      return run_command(command, all);
    };
    const Outcome warned = run_command(command, arguments);
    EXPECT_EQ(warned.status, done);
    EXPECT_EQ(warned.err, "perfsift: warning: " + file + ": " + text + "\n");
    EXPECT_EQ(with("--quiet").status, done);
    EXPECT_EQ(with("--quiet").err, "");
    const Outcome failed = with("--fail-empty");
    EXPECT_EQ(failed.status, check_failed);
    EXPECT_EQ(failed.err, "perfsift: " + file + ": " + text + "\n");
    EXPECT_EQ(failed.out.empty(), warned.out.empty());
  }

  test::TemporaryDirectory directory_;
  const std::string two_ = directory_.write(
      "two.data", Bytes(RecordingBuilder().timed_event().comm_at(1, 7, "app").sample_at(10).sample_at(11).file()));
  const std::string empty_ =
      directory_.write("empty.data", Bytes(RecordingBuilder().timed_event().comm_at(1, 7, "app").file()));
};

TEST_F(EmptyResult, OfFilters) {
  const std::string no_such = "comm == \"nobody\"";
  expect_told("fold", {two_, "--filter", no_such}, two_, nobody);
  expect_told("fold", {two_, "--filter", no_such, "--compat", "flamegraph"}, two_, nobody);
  expect_told("fold", {two_, "--kernel-only"}, two_, nobody);
  expect_told("script", {two_, "--comms", "nobody"}, two_, nobody);
  expect_told("filter", {two_, "--pid", "8", "-o", path("out.data")}, two_, nobody);
  expect_told("filter", {two_, "--pid", "8", "--dry-run"}, two_, nobody);
}

TEST_F(EmptyResult, OfRecordingsWithoutSamples) {
  expect_told("fold", {empty_}, empty_, no_samples);
  expect_told("fold", {empty_, "--compat", "flamegraph"}, empty_, no_samples);
  expect_told("script", {empty_}, empty_, no_samples);
  expect_told("filter", {empty_, "-o", path("out.data")}, empty_, no_samples);
  expect_told("info", {empty_}, empty_, no_samples);
}

TEST_F(EmptyResult, OfSeveralInputsIsToldOnce) {
  expect_told("fold", {two_, two_, empty_, "--filter", "pid == 8"}, "3 inputs",
              "0 of 4 samples match; `perfsift info` shows what the recording holds");
  const std::string none = "hold no samples; `perfsift info` shows what the recording holds";
  expect_told("fold", {empty_, empty_}, "2 inputs", none);
  const std::string other =
      directory_.write("other.data", Bytes(RecordingBuilder().timed_event().comm_at(1, 8, "other").file()));
  expect_told("filter", {empty_, other, "-o", path("empty_outputs")}, "2 recordings", none);
  EXPECT_EQ(run_command("fold", {two_, empty_, "--fail-empty"}).err, "");
  EXPECT_EQ(run_command("filter", {two_, empty_, "-o", path("outputs"), "--fail-empty"}).status, done);
}

TEST_F(EmptyResult, OfTexts) {
  const std::string script_text =
      directory_.write("script.txt", std::string_view("app 7 1.000000: 1 cpu-clock: \n\t401000 f+0x10 (/opt/app)\n\n"));
  EXPECT_EQ(run_command("fold", {script_text, "--fail-empty"}).status, done);
  EXPECT_EQ(run_command("fold", {script_text, "--fail-empty", "--compat", "flamegraph"}).status, done);
  const std::string folded = directory_.write("folded", std::string_view("a;b 1\n"));
  EXPECT_EQ(run_command("fold", {folded, "--fail-empty"}).status, done);
  expect_told("fold", {script_text, "--kernel-only"}, script_text, "0 of 1 samples match");  // info reads recordings
}

// PERF_RECORD_STAT in tools/lib/perf/include/perf/event.h: id, cpu, thread, value, enabled, running.
TEST_F(EmptyResult, OfPerfStatSaysWhoReadsIt) {
  RecordingBuilder in;
  in.timed_event().record(reader::RecordType::stat, in.bytes().u64(1).u32(0).u32(0).u64(5).u64(6).u64(7));
  const std::string stat = directory_.write("stat.data", Bytes(in.file()));
  for (const std::string_view command : {"fold", "info", "script"}) {
    EXPECT_THAT(run_command(command, {stat}).err,
                AllOf(HasSubstr("the counts of perf stat record are not read: perf stat report shows them"),
                      HasSubstr("holds no samples")));
  }
}

// tools/include/uapi/linux/perf_event.h: LOST has an id and a count.
TEST_F(EmptyResult, SaysThatAllSamplesWereLost) {
  RecordingBuilder in;
  in.timed_event().comm_at(1, 7, "app").record_at(20, reader::RecordType::lost, in.bytes().u64(1).u64(21355));
  const std::string lost = directory_.write("lost.data", Bytes(in.file()));
  const std::string output = path("lost.svg");
  const Outcome none = run_command("flame", {"-q", lost, "-o", output});
  EXPECT_EQ(none.status, check_failed);
  EXPECT_EQ(none.err,
            "perfsift: " + lost +
                ": holds no samples, as all 21355 were lost: perf record -m makes the buffer larger, -F or -c "
                "samples rarer\n");
  EXPECT_FALSE(std::filesystem::exists(output));
  const Outcome shown = run_command("flame", {"-q", "--lost-frames", lost, "-o", output});
  EXPECT_EQ(shown.err, "");
  EXPECT_EQ(shown.status, done);
  EXPECT_THAT(test::content_of(output), AllOf(HasSubstr("[lost records]"), HasSubstr("lost.data: 21,355 samples<")));
  const std::string profile = path("lost.pb.gz");
  EXPECT_EQ(run_command("export", {"-q", "--to", "pprof", "--lost-frames", lost, "-o", profile}).status, done);
  EXPECT_EQ(run_command("fold", {"-q", profile}).out, "[lost records] 21355\n");
}

TEST_F(EmptyResult, IsNoneWhereSamplesAreLeft) {
  for (const std::string_view command : {"fold", "script", "info"}) {
    const Outcome outcome = run_command(command, {two_, "--fail-empty"});
    EXPECT_EQ(outcome.status, done);
    EXPECT_EQ(outcome.err, "");
  }
  EXPECT_EQ(run_command("fold", {two_, "--fail-empty", "--filter", "pid == 7"}).status, done);
}

TEST_F(EmptyResult, IsNotKnownOfAHeader) {
  EXPECT_EQ(run_command("script", {two_, "--header-only", "--fail-empty"}).status, wrong_usage);
}

// These outputs are for people or viewers, and a file without samples would look like a result.
TEST_F(EmptyResult, IsNoPictureAndNoFileForViewers) {
  const auto expect_nothing = [&](std::string_view command, options::Arguments arguments) {
    const std::string output = path("nothing");
    arguments.insert(arguments.end(), {output, "--filter", "pid == 8", two_});
    const Outcome outcome = run_command(command, arguments);
    EXPECT_EQ(outcome.status, check_failed);
    EXPECT_EQ(outcome.err, "perfsift: " + two_ + ": " + nobody + "\n");
    EXPECT_FALSE(std::filesystem::exists(output));
  };
  expect_nothing("flame", {"-o"});
  expect_nothing("report", {"--html"});
  expect_nothing("view", {"--save"});
  for (const char* format : {"pprof", "speedscope", "firefox", "perfetto", "callgrind"})
    expect_nothing("export", {"--to", format, "-o"});
  for (const char* format : {"csv", "jsonl", "folded"})
    EXPECT_EQ(run_command("export", {"--to", format, "--filter", "pid == 8", two_}).status, done);
}

TEST_F(EmptyResult, OfFoldedTextWithoutCounts) {
  const std::string zero = directory_.write("zero.folded", std::string_view("a;b 0\na;c 0.0\n"));
  const std::string output = path("nothing");
  for (const char* format : {"pprof", "speedscope", "firefox", "perfetto", "callgrind"}) {
    const Outcome outcome = run_command("export", {"--to", format, "-o", output, zero});
    EXPECT_EQ(outcome.status, check_failed) << format;
    EXPECT_EQ(outcome.err, "perfsift: " + zero + ": holds no samples\n");
    EXPECT_FALSE(std::filesystem::exists(output));
  }
  EXPECT_EQ(run_command("flame", {"-o", output, zero}).status, check_failed);
  const std::string some = directory_.write("some.folded", std::string_view("a;b 0\na;c 0.5\n"));
  EXPECT_EQ(run_command("export", {"--to", "speedscope", "-q", "-o", output, some}).status, done);
}

// Of the two errors, unusable input is more severe.
TEST_F(EmptyResult, OfWhatCannotBeRead) {
  EXPECT_EQ(run_command("fold", {path("missing"), "--fail-empty"}).status, input_unusable);
}

}  // namespace
}  // namespace perfsift::tools
