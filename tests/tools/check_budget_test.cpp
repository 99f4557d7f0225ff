// perfsift check --budget, and its outputs for CI.
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/support/sched_recording.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::check_budget_tests {  // a unity build compiles other tests in the same file
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Thread 7, "rx-0", sleeps 400 times for 10 us. A clock has 1000 samples, a quarter of them in thread 7.
class CheckBudget : public ::testing::Test {
 protected:
  CheckBudget() {
    test::SchedRecording in;
    in.comm_at(1, 7, "rx-0").comm_at(2, 8, "other");
    for (std::uint64_t i = 0; i < 400; ++i) {
      const std::uint64_t start = 1'000'000 + i * 20'000;
      in.switch_at(start, 7, test::S, 8).waking_at(start + 9'000, 8, 7).switch_at(start + 10'000, 8, 0, 7);
    }
    for (std::uint64_t i = 0; i < 1000; ++i) {
      in.cpu_clock_at(9'000'000 + i * 1000, i % 4 == 0 ? 7 : 8, {0x1000, 0x2000});
    }
    recording_ = in.write(directory_);
  }

  Outcome judge(const std::string& budget, options::Arguments more = {}) {
    const std::string file = directory_.write("budget.txt", std::string_view(budget));
    options::Arguments arguments{"-q",       "--allow", "unnamed",     "--event", "cpu-clock*",
                                 "--budget", file,      "--candidate", recording_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command("check", arguments);
  }
  std::string content(const std::string& name) const {
    std::ifstream in(directory_.path() / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  test::TemporaryDirectory directory_;
  std::string recording_;
};

TEST_F(CheckBudget, PassesAndFailsByItself) {
  const Outcome passed =
      judge("share(comm == \"rx-0\") < 30%\np99(offcpu, comm == \"rx-0\") < 11us\nsamples >= 1000\n");
  EXPECT_EQ(passed.status, done) << passed.out << passed.err;
  EXPECT_THAT(passed.out, HasSubstr("passed: 3 assertions passed\n"));
  const Outcome failed = judge("share(comm == \"rx-0\") < 20%\nlost < 1%\n");
  EXPECT_EQ(failed.status, check_failed);
  EXPECT_THAT(failed.out, HasSubstr("budget.txt:1: share(comm == \"rx-0\") < 20%: measured 25 % ("));
  EXPECT_THAT(failed.out, HasSubstr("failed: 1 assertion failed, 1 assertion passed\n"));
}

TEST_F(CheckBudget, NeverPassesWhatTheRecordingDoesNotTell) {
  const Outcome outcome = judge("remote_hitm == 0\nsamples > 10\n");
  EXPECT_EQ(outcome.status, cannot_judge);
  EXPECT_THAT(outcome.out, HasSubstr("no memory access was recorded"));
}

// Waits, memory accesses and losses belong to no event: the recording has three.
TEST_F(CheckBudget, AsksForAnEventOnlyIfAnAssertionNeedsOne) {
  const auto judge_all = [&](const std::string& budget) {
    const std::string file = directory_.write("events.txt", std::string_view(budget));
    return run_command("check", {"-q", "--allow", "unnamed", "--budget", file, "--candidate", recording_});
  };
  const Outcome waits = judge_all("p99(offcpu, comm == \"rx-0\") < 11us\nlost < 1%\n");
  EXPECT_EQ(waits.status, done) << waits.out << waits.err;
  EXPECT_THAT(waits.out, HasSubstr("2200 samples in 1 run"));
  EXPECT_EQ(judge_all("max(offcpu, comm == \"rx-0\") < 9us\n").status, check_failed);
  EXPECT_THAT(judge_all("remote_hitm == 0\n").out, HasSubstr("no memory access was recorded"));
  for (const char* budget : {"lost < 1%\nself(\"f\") < 2%\n", "share(cpu == 1) < 5%\n", "samples > 10\n"}) {
    const Outcome outcome = judge_all(budget);
    EXPECT_EQ(outcome.status, wrong_usage);
    EXPECT_THAT(outcome.err, HasSubstr("there are several events"));
  }
}

TEST_F(CheckBudget, ComparesWithTheBaseline) {
  const std::string budget = "share(comm == \"rx-0\") < baseline + 40%\nmax(offcpu) <= baseline\n";
  const Outcome outcome = judge(budget, {"--baseline", recording_, "--allow", "few"});  // one unnamed function
  EXPECT_EQ(outcome.status, done) << outcome.out << outcome.err;
  const Outcome alone = judge(budget);
  EXPECT_EQ(alone.status, wrong_usage);
  EXPECT_THAT(alone.err, HasSubstr("compares with a baseline, which --baseline names"));
}

TEST_F(CheckBudget, TellsMistakesBeforeReading) {
  const std::string file = directory_.write("budget.txt", std::string_view("lost < 1%\ntotl(\"f\") < 1%\n"));
  const Outcome outcome = run_command("check", {"--budget", file, "--candidate", directory_.path() / "missing.data"});
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_THAT(outcome.err, HasSubstr("budget.txt:2:1: 'totl': no measure has this name; did you mean total?"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("missing.data")));
}

TEST_F(CheckBudget, WritesWhatCiReads) {
  const auto to = [&](const char* name) { return directory_.path() / name; };
  const Outcome outcome =
      judge("share(comm == \"rx-0\") < 20%\n",
            {"--baseline", recording_, "--allow", "few", "--markdown", to("a.md"), "--junit", to("a.xml"), "--sarif",
             to("a.sarif"), "--annotations", "github:" + to("a.log").string(), "--svg", to("a.svg")});
  EXPECT_EQ(outcome.status, check_failed) << outcome.err;
  EXPECT_THAT(content("a.md"), HasSubstr("| `share(comm == \"rx-0\") < 20%` | failed | measured 25 % "));
  EXPECT_THAT(content("a.xml"), HasSubstr("<failure "));
  EXPECT_EQ(nlohmann::json::parse(content("a.sarif"))["version"], "2.1.0");
  EXPECT_THAT(content("a.log"), HasSubstr("::error title=share"));
  EXPECT_THAT(content("a.svg"), HasSubstr("<svg"));
}

TEST_F(CheckBudget, RefusesOutputsThatContradictEachOther) {
  const std::string budget = "lost < 1%\n";
  EXPECT_THAT(judge(budget, {"--annotations", "travis"}).err,
              HasSubstr("there are github, gitlab, azure and teamcity"));
  EXPECT_THAT(judge(budget, {"--annotations", "gitlab"}).err, HasSubstr("GitLab reads a file"));
  EXPECT_THAT(judge(budget, {"--annotations", "github", "--json"}).err, HasSubstr("name a file for one of them"));
  EXPECT_THAT(judge(budget, {"--svg", directory_.path() / "x.svg"}).err, HasSubstr("needs a baseline"));
  EXPECT_EQ(judge(budget, {"--junit", recording_}).status, wrong_usage);
  EXPECT_EQ(judge(budget, {"--junit", directory_.path() / "budget.txt"}).status, wrong_usage);
  EXPECT_EQ(judge(budget, {"--junit", directory_.path() / "x", "--sarif", directory_.path() / "x"}).status,
            wrong_usage);
}

}  // namespace
}  // namespace perfsift::tools::check_budget_tests
