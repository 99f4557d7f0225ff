// perfsift bench with a program that replaces perf. This program logs its arguments and returns a recording of
// testdata/. tests/oracle runs perfsift bench with perf.

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/support/demo_home.h"
#include "tests/support/emulated.h"
#include "tests/support/paths.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::benching {  // a unity build compiles other tests in the same file
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Bench : public testing::Test {
 protected:
  Bench() : old_path_(std::getenv("PATH")) {
    replace_perf("echo \"$@\" >> " + log() +
                 "\nwhile [ \"$1\" != -- ]; do [ \"$1\" = -o ] && out=$2; shift; done\nshift\n" + "cp " +
                 test::source_path("testdata/demo.data") + " \"$out\"\nexec \"$@\"\n");
    setenv("PATH", (directory_.path() / "bin").string().append(":").append(old_path_).c_str(), 1);
  }
  ~Bench() override { setenv("PATH", old_path_.c_str(), 1); }

  void replace_perf(const std::string& script) const {
    namespace fs = std::filesystem;
    fs::permissions(directory_.write("bin/perf", "#!/bin/sh\n" + script), fs::perms::owner_all);
  }
  std::string path(const std::string& name) const { return directory_.path() / name; }
  std::string log() const { return path("log"); }

  test::TemporaryDirectory directory_;
  const test::DemoHome home_;
  const std::string old_path_;
};

TEST_F(Bench, TheRunsOfOneCommandAreStored) {
  const std::string marks = path("marks");
  const Outcome outcome = run_command("bench", {"-n", "3", "-w", "2", "-p", "printf p >> " + marks, "-o",
                                                path("out.pb.gz"), "--", "sh", "-c", "printf r >> " + marks});
  EXPECT_EQ(outcome.status, done) << outcome.err;
  EXPECT_EQ(test::content_of(marks), "prprprprpr");
  EXPECT_THAT(outcome.out, StartsWith("wall time "));
  EXPECT_THAT(run_command("merge", {"-q", "-o", path("again.pb.gz"), path("out.pb.gz")}).err, "");
  EXPECT_TRUE(test::content_of(path("out.pb.gz")) == test::content_of(path("again.pb.gz")));
}

TEST_F(Bench, TwoCommandsAreRecordedInTurnAndChecked) {
  for (int run = 1; run <= 10; ++run) {  // a run of equal samples would be a copy of another
    ASSERT_EQ(run_command("filter", {"-q", "--time", fmt::format("{}%-100%", run), "-o",
                                     path(fmt::format("{}.data", run)), test::source_path("testdata/demo.data")})
                  .status,
              done);
  }
  replace_perf("echo >> " + log() + "\nwhile [ \"$1\" != -- ]; do [ \"$1\" = -o ] && out=$2; shift; done\nshift\n" +
               "cp " + path("$(wc -l < " + log() + ").data") + " \"$out\"\nexec \"$@\"\n");
  const std::string marks = path("marks");
  const Outcome outcome = run_command(
      "bench", {"-n", "3", "-w", "1", "--min-effect", "50%", "printf a >> " + marks, "printf b >> " + marks});
  EXPECT_EQ(outcome.status, done) << outcome.err << outcome.out;
  EXPECT_EQ(test::content_of(marks), "abababab");
  EXPECT_THAT(outcome.out, StartsWith("wall time "));
  EXPECT_THAT(outcome.out, HasSubstr("\npassed: "));
  EXPECT_THAT(outcome.out, HasSubstr(" in 3 runs before, "));
}

TEST_F(Bench, OneCommandIsComparedWithStoredRuns) {
  const std::string stored = path("out.pb.gz");
  ASSERT_EQ(run_command("bench", {"-n", "3", "-o", stored, "true"}).status, done);
  const Outcome outcome =
      run_command("bench", {"-n", "4", "--min-effect", "50%", "--json", "--baseline", stored, "--", "true"});
  EXPECT_EQ(outcome.status, done) << outcome.err << outcome.out;
  EXPECT_THAT(outcome.out, StartsWith("{"));
  EXPECT_THAT(outcome.err, StartsWith("wall time "));
}

// The demo has 563 samples in each run.
TEST_F(Bench, ABudgetIsJudged) {
  const auto budget = [&](const std::string& text) { return directory_.write("budget", std::string_view(text)); };
  const auto run = [&](const std::string& text, options::Arguments more = {}) {
    options::Arguments arguments{"-n", "2", "-q", "--allow", "unnamed,cut", "--budget", budget(text)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command("bench", arguments);
  };
  EXPECT_EQ(run("lost < 1%\n", {"true"}).status, done);
  const Outcome failed = run("total(\"*\") < 1%\n", {"true"});
  EXPECT_EQ(failed.status, check_failed) << failed.err << failed.out;
  EXPECT_THAT(failed.out, HasSubstr("budget:1: total(\"*\") < 1%"));
  EXPECT_EQ(run("total(\"*\") < 1%\n", {"--min-effect", "50%", "true", "true"}).status, check_failed);
  // The error comes before anything is recorded.
  std::filesystem::remove(log());
  EXPECT_THAT(run("totl(\"main\") < 1%\n", {"true"}).err, HasSubstr("budget:1:1"));
  EXPECT_THAT(run("self(\"main\") < baseline + 10%\n", {"true"}).err, HasSubstr("compares with a baseline"));
  EXPECT_THAT(run_command("bench", {"-n", "1", "--budget", "-", "true"}).err, HasSubstr("--budget -"));
  EXPECT_FALSE(std::filesystem::exists(log()));
}

TEST_F(Bench, PerfGetsTheOptions) {
  run_command("bench", {"-n", "1", "-w", "0", "-e", "task-clock", "-F", "77", "--call-graph", "dwarf", "-q", "-o",
                        path("out.pb.gz"), "true"});
  const std::string calls = test::content_of(log());
  EXPECT_THAT(calls, HasSubstr(" -e task-clock -F 77 --call-graph dwarf -- true\n"));  // the trial
  EXPECT_THAT(calls, HasSubstr(" -e task-clock -F 77 --call-graph dwarf -- /bin/sh -c true\n"));
}

TEST_F(Bench, AFailingCommandIsAnError) {
  const options::Arguments arguments{"-n", "1", "-o", path("out.pb.gz"), "--", "sh", "-c", "echo no luck >&2; exit 7"};
  const Outcome outcome = run_command("bench", arguments);
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_THAT(outcome.err, HasSubstr("ended with exit status 7 (command, warm-up 1 of 1): no luck"));
  EXPECT_FALSE(std::filesystem::exists(path("out.pb.gz")));
  options::Arguments ignoring{"--ignore-failure"};
  ignoring.insert(ignoring.end(), arguments.begin(), arguments.end());
  EXPECT_EQ(run_command("bench", ignoring).status, done);
}

TEST_F(Bench, WithoutPerfTheMessageSaysWhatToInstall) {
  // In posix_spawn() of qemu, the parent does not learn why the program could not be started.
  if (test::emulated()) GTEST_SKIP() << "under an emulator";
  std::filesystem::remove(path("bin/perf"));
  setenv("PATH", path("bin").c_str(), 1);
  EXPECT_THAT(run_command("bench", {"-o", path("out.pb.gz"), "true"}).err, HasSubstr("install linux-perf (Debian)"));
}

TEST_F(Bench, WhatPerfSaysIsShown) {
  replace_perf("echo no permission >&2; exit 255");
  const Outcome outcome = run_command("bench", {"-o", path("out.pb.gz"), "true"});
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_THAT(outcome.err, HasSubstr("perf cannot record here (exit status 255)"));
  EXPECT_THAT(outcome.err, HasSubstr(": no permission"));
}

TEST_F(Bench, RecordingsAreKeptWhereTheUserSays) {
  ASSERT_EQ(run_command("bench", {"-n", "2", "--keep", path("kept"), "true"}).status, done);
  EXPECT_TRUE(std::filesystem::exists(path("kept/command-001.data")));
  EXPECT_TRUE(std::filesystem::exists(path("kept/command-002.data")));
  EXPECT_FALSE(std::filesystem::exists(path("kept/warmup-001.data")));
  const Outcome again = run_command("bench", {"-n", "2", "--keep", path("kept"), "true"});
  EXPECT_EQ(again.status, wrong_usage);
  EXPECT_THAT(again.err, HasSubstr("command-001.data' exists"));
}

TEST_F(Bench, CommandsMustBeClear) {
  const auto error = [](const options::Arguments& arguments) { return run_command("bench", arguments).err; };
  EXPECT_THAT(error({}), HasSubstr("which command?"));
  EXPECT_THAT(error({"true"}), HasSubstr("-o FILE stores its runs"));
  EXPECT_THAT(error({"true", "-o", "x", "--level", "1%"}), HasSubstr("--level: is for comparisons"));
  // The error comes before anything is recorded.
  EXPECT_THAT(error({"true", "true", "--level", "500%"}), HasSubstr("--level 500%: a percentage from"));
  EXPECT_THAT(error({"true", "true", "--allow", "samples"}), HasSubstr("--allow samples: there are lost"));
  EXPECT_THAT(error({"true", "--", "true"}), HasSubstr("either as texts"));
  EXPECT_THAT(error({"a", "b", "c"}), HasSubstr("not 3"));
  EXPECT_THAT(error({"a", "-o", "x", "-n", "0"}), HasSubstr("--runs 0: a whole number from 1 on is needed"));
  EXPECT_THAT(error({"a", "-o", "x", "--call-graph", "magic"}), HasSubstr("--call-graph magic"));
}

}  // namespace
}  // namespace perfsift::tools::benching
