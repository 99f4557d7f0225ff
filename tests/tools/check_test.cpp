// perfsift check from the command line to its exit status. Times, stacks and numbers of samples are in the texts.

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/support/demo_home.h"
#include "tests/support/paths.h"
#include "tests/support/pprof_bytes.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::check_tests {  // a unity build compiles other tests in the same file
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Json = nlohmann::json;

// The text of perf script: 640 samples of "main;f", "main;g" and "main;h" in turn, with some more of f at all times.
std::string script(unsigned more_of_f, std::string_view event = "cycles") {
  std::string text;
  unsigned sample = 0;
  const auto add = [&](std::string_view function) {
    text += fmt::format("app 7 {}.{:06}: {}:\n\t401000 {} (/bin/app)\n\t401100 main (/bin/app)\n\n", 1 + sample / 1000,
                        sample % 1000 * 1000, event, function);
    ++sample;
  };
  for (int i = 0; i < 640; ++i) {
    for (const char* function : {"f", "g", "h"}) add(function);
    for (unsigned more = 0; more < more_of_f; ++more) add("f");
  }
  return text;
}

class CheckCommandLine : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    return directory_.write(name, std::string_view(text));
  }

  test::TemporaryDirectory directory_;
  const std::string base_ = write("base", script(0));
};

// A share of a third of 1920 samples has a variance of 1/3 * 2/3 / 1920. The difference of two shares has twice this
// variance: a deviation of 1.52 points, and 3.04 points by 1.998, the limit of Student's distribution for 64 blocks.
// For 1 point, (1.998 + 0.842) deviations, 18.67 times as many samples are needed.
TEST_F(CheckCommandLine, EqualRunsPass) {
  const Outcome outcome = run_command("check", {base_, base_});
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(
      outcome.out,
      StartsWith(
          "passed: 3 functions are undecided\n"
          "  cycles: 1920 samples in 1 run before, 1920 samples in 1 run after\n"
          "  3 tests at a level of 5.00 %; noise is estimated from time blocks of a run; costs are normalised by "
          "functions that did not change\n"
          "\n"
          "f [app] is undecided: +0.00 % of total cost (95 % interval -3.04 % to +3.04 %), 1.000 times the baseline "
          "(0.913 to 1.096)\n"
          "  640 samples (33.33 %) before, 640 (33.33 %) after; p = 1, adjusted p = 1\n"
          "  35847 samples or 19 runs on each side would probably decide\n"
          "   33.33 % ->  33.33 %  main;f\n"));
}

TEST_F(CheckCommandLine, EverythingMayBeBelowTheMinimumEffect) {
  const Outcome outcome = run_command("check", {base_, base_, "--min-effect", "5%"});
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(outcome.out, StartsWith("passed: no function costs more by 5.00 % of total cost\n"));
}

TEST_F(CheckCommandLine, ASlowerFunctionFails) {
  const Outcome outcome = run_command("check", {base_, write("slow", script(1)), "--json"});
  EXPECT_EQ(outcome.status, check_failed);
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["outcome"], "failed");
  EXPECT_EQ(json["findings"][0]["kind"], "dearer");
  EXPECT_EQ(json["findings"][0]["function"]["symbol"], "f");
  EXPECT_EQ(json["findings"][0]["function"]["dso"], "app");
  EXPECT_EQ(json["findings"][0]["before"]["samples"], 640);
  EXPECT_EQ(json["findings"][0]["after"]["samples"], 1280);
  EXPECT_NEAR(json["findings"][0]["ratio"]["value"], 2, 1e-9);
  EXPECT_NEAR(json["total_ratio"]["value"], 4.0 / 3, 1e-9);
}

TEST_F(CheckCommandLine, SeveralRunsOfASideAreRepeats) {
  const std::string other = write("other", script(0) + script(0));
  const Outcome outcome =
      run_command("check", {"--baseline", base_, other, "--candidate", base_, other, "--json", "--per", "run"});
  EXPECT_EQ(outcome.status, done);
  EXPECT_EQ(Json::parse(outcome.out)["spread"], "repeats");
  EXPECT_EQ(Json::parse(outcome.out)["baseline"]["runs"], (Json{base_, other}));
}

// A copy, a link and a stored run of a recording are not repeats, because nothing in them differs by chance.
TEST_F(CheckCommandLine, OneRecordingIsOneRun) {
  const test::DemoHome home;
  const std::string demo = test::source_path("testdata/demo.data"), stored = directory_.path() / "stored.pb.gz";
  for (const std::string& recording : {demo, base_}) {
    const std::string copy = write("copy", test::content_of(recording)), link = directory_.path() / "link";
    std::filesystem::remove(link);
    std::filesystem::create_symlink(recording, link);
    ASSERT_EQ(run_command("merge", {"-q", "-o", stored, recording}).status, done);
    const Outcome outcome = run_command(
        "check", {"-q", "--json", "--baseline", recording, copy, stored, "--candidate", recording, link, link});
    const Json json = Json::parse(outcome.out);
    EXPECT_EQ(json["spread"], "time_blocks");
    EXPECT_EQ(json["baseline"]["runs"], Json{recording});
    EXPECT_EQ(json["candidate"]["runs"], Json{recording});
    EXPECT_THAT(json["notes"],
                testing::Contains(fmt::format("not counted: {} is the same recording as {}", copy, recording)));
    EXPECT_EQ(std::ranges::count_if(
                  json["notes"], [](const Json& note) { return note.get<std::string>().starts_with("not counted: "); }),
              4);
  }
}

// Data that cannot be judged are neither a pass nor a failure.
TEST_F(CheckCommandLine, OtherEventsCannotBeJudged) {
  const Outcome outcome = run_command("check", {base_, write("other", script(0, "faults"))});
  EXPECT_EQ(outcome.status, cannot_judge);
  EXPECT_THAT(
      outcome.out,
      StartsWith(
          "cannot judge: 1 reason below\nevent: no event is on both sides: the baseline has cycles, the candidate has "
          "faults\n  record both sides with the same event\n"));
}

TEST_F(CheckCommandLine, AnEventIsChosenFromSeveral) {
  const std::string both = write("both", script(0) + script(0, "faults"));
  const std::string slower = write("slower", script(0) + script(1, "faults"));
  const auto check_event = [&](const std::string& event) {
    return run_command("check", {both, slower, "--json", "--event", event});
  };
  const Outcome cycles = check_event("cycles"), faults = check_event("faults");
  EXPECT_EQ(cycles.status, done);
  EXPECT_EQ(faults.status, check_failed);
  EXPECT_EQ(Json::parse(cycles.out)["event"], "cycles");
  EXPECT_EQ(Json::parse(faults.out)["event"], "faults");
  EXPECT_THAT(Json::parse(faults.out)["notes"], IsEmpty());
}

// The common event of both sides is judged, and the other events are named.
TEST_F(CheckCommandLine, EventsOfOneSideAreNamed) {
  const std::string both = write("both", script(0) + script(0, "faults"));
  const Outcome before = run_command("check", {both, base_, "--json"}), after = run_command("check", {base_, both});
  EXPECT_EQ(before.status, done);
  EXPECT_EQ(Json::parse(before.out)["event"], "cycles");
  EXPECT_EQ(Json::parse(before.out)["notes"], Json{"not compared: the event faults is in the baseline only"});
  EXPECT_EQ(after.status, done);
  EXPECT_THAT(after.out, HasSubstr("not compared: the event faults is in the candidate only\n"));
  EXPECT_EQ(Json::parse(run_command("check", {base_, both, "--json", "-e", "cycles"}).out)["notes"], Json::array());
}

TEST_F(CheckCommandLine, NoSamplesCannotBeJudged) {
  const std::string empty = write("empty", "# ========\n");
  for (const options::Arguments& sides : {options::Arguments{base_, empty}, options::Arguments{empty, base_}}) {
    const Outcome outcome = run_command("check", sides);
    EXPECT_NE(outcome.status, done) << outcome.out << outcome.err;
  }
}

// A sample that has only an event: there is no frame to draw.
TEST_F(CheckCommandLine, APictureMayHaveNoStacks) {
  const std::string one = write("one", "a b c  7 1.625: 5000000 cpu-clock:\n\n");
  const std::string picture = directory_.path() / "x.svg";
  EXPECT_EQ(run_command("check", {one, one, "--allow", "few", "--svg", picture}).status, cannot_judge);
  EXPECT_THAT(test::content_of(picture), testing::EndsWith("</svg>\n"));
}

TEST_F(CheckCommandLine, FoldedTextNeedsRepeats) {
  const std::string folded = write("folded", "main;f 1000\nmain;g 1000\nmain;h 1000\n");
  EXPECT_EQ(run_command("check", {folded, folded}).status, cannot_judge);
  EXPECT_EQ(run_command("check", {folded, folded, "--allow", "spread"}).status, done);
  const std::string other = write("other", "main;f 1010\nmain;g 995\nmain;h 1000\n");
  EXPECT_EQ(run_command("check", {"--baseline", folded, other, "--candidate", folded, other}).status, done);
}

// A pprof profile with the amounts of three functions. With `counted`, it also has their numbers of samples.
std::string pprof(bool counted, std::uint64_t f, std::uint64_t g, std::uint64_t h) {
  std::vector<test::PprofType> types{{"cpu", "nanoseconds"}};
  if (counted) types.insert(types.begin(), {"samples", "count"});
  test::PprofBytes profile(types);
  const auto add = [&](const std::string& function, std::uint64_t amount) {
    std::vector<std::uint64_t> values{amount * 10'000'000};
    if (counted) values.insert(values.begin(), amount);
    profile.add(function, values);
  };
  add("f", f), add("g", g), add("h", h);
  return profile.bytes();
}

// Each sample of such a profile counts by its value, not as one sample.
TEST_F(CheckCommandLine, PprofWithoutCountsIsJudgedByItsValues) {
  for (const bool counted : {true, false}) {
    std::vector<std::string> sides[2];
    for (std::uint64_t run = 0; run < 3; ++run) {
      for (const std::uint64_t more : {0u, 300u}) {
        sides[more != 0].push_back(write(fmt::format("pprof{}{}{}", counted, run, more),
                                         pprof(counted, 1000 + more + 5 * run, 2000 - 4 * run, 3000 + run)));
      }
    }
    const auto& [before, after] = sides;
    const Outcome slower = run_command("check", {"--json", "--baseline", before[0], before[1], before[2], "--candidate",
                                                 after[0], after[1], after[2]});
    EXPECT_EQ(slower.status, check_failed) << counted;
    const Json json = Json::parse(slower.out);
    EXPECT_EQ(json["findings"][0]["function"]["symbol"], "f");
    EXPECT_NEAR(json["findings"][0]["after"]["share"], 1305.0 / 6302, 0.0005);
    // One run on each side has no times, and gives no estimate of chance.
    EXPECT_EQ(run_command("check", {before[0], after[0]}).status, cannot_judge);
    const auto budget = [&](const std::string& text, const std::string& candidate) {
      return run_command("check", {"--budget", write("budget", text), "--candidate", candidate}).status;
    };
    EXPECT_EQ(budget("self(\"f\") < 18.5%\n", before[0]), done);
    EXPECT_EQ(budget("self(\"f\") < 18.5%\n", after[0]), check_failed);
    // The values are still compared after they were stored.
    const std::string stored = directory_.path() / fmt::format("stored{}.pb.gz", counted);
    EXPECT_EQ(run_command("merge", {"-q", "-o", stored, before[0], before[1], before[2]}).status, done);
    EXPECT_EQ(run_command("check", {"--baseline", stored, "--candidate", after[0], after[1], after[2]}).status,
              check_failed);
  }
}

TEST_F(CheckCommandLine, AMissingRunIsNoPass) {
  const Outcome outcome = run_command("check", {base_, directory_.path() / "missing"});
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_THAT(outcome.out, IsEmpty());
}

TEST_F(CheckCommandLine, MistakesSayWhatIsMeant) {
  const auto error = [&](options::Arguments arguments) {
    const Outcome outcome = run_command("check", arguments);
    EXPECT_EQ(outcome.status, wrong_usage);
    return outcome.err;
  };
  EXPECT_THAT(error({base_}), HasSubstr("a baseline and a candidate are needed, not 1 files"));
  EXPECT_THAT(error({"--baseline", base_}), HasSubstr("--baseline and --candidate: each needs the other"));
  EXPECT_THAT(error({base_, base_, "--level", "0"}), HasSubstr("--level 0: a percentage from"));
  EXPECT_THAT(error({base_, base_, "--min-effect", "x%"}), HasSubstr("--min-effect x%: a percentage from 0 to 100"));
  EXPECT_THAT(error({base_, base_, "--per", "hour"}), HasSubstr("--per hour: there are run and share"));
  EXPECT_THAT(error({base_, base_, "--allow", "samples"}), HasSubstr("--allow samples: there are lost, throttled"));
  EXPECT_THAT(error({base_, base_, "-o", base_}), HasSubstr(base_));
  const std::string both = write("both", script(0) + script(0, "faults"));
  EXPECT_THAT(error({both, both}), HasSubstr("--event chooses the one to judge by"));
}

}  // namespace
}  // namespace perfsift::tools::check_tests
