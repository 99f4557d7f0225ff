// perfsift check with a folder of stored runs. Times, stacks and numbers of samples are in the texts.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/support/demo_home.h"
#include "tests/support/paths.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::check_histories {  // a unity build compiles other tests in the same file
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;
using Json = nlohmann::json;

class CheckHistory : public ::testing::Test {
 protected:
  // The text of perf script: 2000 samples each of the functions f, g and h. f has `more` per mille additional samples.
  // g has some samples more or fewer, as runs differ. No two runs are equal.
  std::string run(unsigned more, unsigned noise = 0) {
    std::string text;
    unsigned sample = 0;
    const auto add = [&](std::string_view function, unsigned times) {
      for (unsigned i = 0; i < times; ++i, ++sample)
        text += fmt::format("app 7 {}.{:06}: cycles:\n\t401000 {} (/bin/app)\n\t401100 main (/bin/app)\n\n",
                            1 + sample / 1000, sample % 1000 * 1000, function);
    };
    for (unsigned part = 0; part < 100; ++part) {
      add("f", 20 + (part * more / 50 - (part - (part > 0 ? 1 : 0)) * more / 50));
      add("g", 20 + (part < noise ? 1 : 0));
      add("h", 20);
      if (part == runs_ % 50 * 2) add("i", 1 + runs_ / 50);
    }
    return directory_.write(fmt::format("run{}", runs_++), std::string_view(text));
  }

  Outcome check_run(const std::string& candidate, options::Arguments more = {}) const {
    options::Arguments arguments{"-q", "--json", "--history", history_, candidate};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command("check", arguments);
  }
  Outcome store(const std::string& candidate, options::Arguments more = {}) const {
    more.insert(more.end(), {"--save-baseline", history_ + "/", "--save-anyway"});
    return check_run(candidate, more);
  }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(history_)) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }

  test::TemporaryDirectory directory_;
  const std::string history_ = directory_.path() / "history";
  unsigned runs_ = 0;
};

TEST_F(CheckHistory, NothingStoredIsNoPass) {
  const std::string candidate = run(0);
  const Outcome outcome = check_run(candidate, {"--save-baseline", history_ + "/"});
  EXPECT_EQ(outcome.status, cannot_judge);
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["reasons"][0]["key"], "history");
  EXPECT_THAT(json["notes"], testing::Contains(HasSubstr("the candidate is not stored")));
  EXPECT_FALSE(fs::exists(history_));
  EXPECT_THAT(run_command("check", {"-q", "--allow", "history", "--history", history_, candidate}).out,
              testing::StartsWith("passed: there is nothing to compare with yet\n"));
  EXPECT_EQ(check_run(candidate, {"--allow", "history", "--save-baseline", history_ + "/"}).status, done);
  EXPECT_THAT(files(), SizeIs(1));
}

TEST_F(CheckHistory, OnlyWhatPassesIsStored) {
  store(run(0));
  EXPECT_EQ(check_run(run(0), {"--save-baseline", history_}).status, done);
  EXPECT_THAT(files(), SizeIs(2));
  EXPECT_EQ(check_run(run(800), {"--save-baseline", history_}).status, check_failed);
  EXPECT_THAT(files(), SizeIs(2));
  EXPECT_EQ(check_run(run(800), {"--save-baseline", history_, "--save-anyway"}).status, check_failed);
  EXPECT_THAT(files(), SizeIs(3));
}

// Only the candidate is stored, whatever it was compared with.
TEST_F(CheckHistory, AStoredCandidateIsWhatMergeStores) {
  const test::DemoHome home;
  store(run(0));
  const std::string candidate = test::source_path("testdata/demo.data"), saved = directory_.path() / "saved.pb.gz";
  for (const options::Arguments& with : {options::Arguments{"--history", history_}, {"--baseline", run(0)}}) {
    options::Arguments arguments{"-q", "-j3", "--candidate", candidate, "--save-baseline", saved, "--save-anyway"};
    arguments.insert(arguments.end(), with.begin(), with.end());
    EXPECT_EQ(run_command("check", arguments).status, cannot_judge);  // another event
    const auto folded = [](const std::string& path) { return run_command("fold", {"-q", "--no-comm", path}).out; };
    EXPECT_EQ(folded(saved), folded(candidate));
  }
  EXPECT_EQ(run_command("check", {"-q", "--baseline", saved, "--candidate", candidate}).status, done);
}

TEST_F(CheckHistory, AStepFailsAndIsAnEarlierStepOnceAccepted) {
  for (unsigned i = 0; i < 12; ++i) store(run(0, i % 5));
  const Outcome slow = check_run(run(200, 2));
  EXPECT_EQ(slow.status, check_failed);
  EXPECT_EQ(Json::parse(slow.out)["findings"][0]["kind"], "dearer");
  for (unsigned i = 0; i < 3; ++i) store(run(200, i));
  const Outcome accepted = check_run(run(200, 3));
  EXPECT_EQ(accepted.status, done) << accepted.out;
  const Json json = Json::parse(accepted.out);
  EXPECT_EQ(json["findings"][0]["kind"], "earlier_step");
  EXPECT_EQ(json["findings"][0]["function"]["symbol"], "f");
  EXPECT_EQ(json["findings"][0]["runs"], 3);
  EXPECT_EQ(check_run(run(400, 2)).status, check_failed);
}

TEST_F(CheckHistory, ADriftIsSaidToBeOne) {
  for (unsigned i = 0; i < 15; ++i) store(run(10 * i, i % 5));
  const Outcome outcome = check_run(run(150, 1));
  EXPECT_EQ(outcome.status, check_failed);
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["findings"][0]["kind"], "drifting");
  EXPECT_EQ(json["findings"][0]["function"]["symbol"], "f");
  EXPECT_EQ(json["findings"][0]["runs"], 16);
  // The share changes from 2,000 of about 6,000 samples to 2,300 of 6,300.
  EXPECT_NEAR(json["findings"][0]["effect"]["value"], 2300.0 / 6300 - 2000.0 / 6000, 0.002);
  for (const Json& finding : json["findings"]) EXPECT_NE(finding["kind"], "dearer");
  EXPECT_EQ(check_run(run(150, 1), {"--drift", "note"}).status, done);
  const std::string junit = directory_.path() / "junit.xml", markdown = directory_.path() / "summary.md";
  const std::string sarif = directory_.path() / "sarif.json";
  check_run(run(150, 1), {"--junit", junit, "--markdown", markdown, "--sarif", sarif});
  EXPECT_THAT(test::content_of(junit), HasSubstr("<testcase classname=\"perfsift.function-drifts\" name=\"f\""));
  EXPECT_THAT(test::content_of(markdown), HasSubstr("| `f` in `app` | drifts |"));
  const Json result = Json::parse(test::content_of(sarif))["runs"][0];
  EXPECT_EQ(result["results"][0]["ruleId"], "function-drifts");
  EXPECT_EQ(result["tool"]["driver"]["rules"][result["results"][0]["ruleIndex"].get<std::size_t>()]["id"],
            "function-drifts");
}

// A damaged or foreign file is named in a message, and stays.
TEST_F(CheckHistory, OtherFilesAreLeftAlone) {
  for (unsigned i = 0; i < 4; ++i) store(run(0));
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(fs::path(history_) / name) << text;
  };
  write("notes.txt", "our history");
  write("a\nb.pb.gz", test::content_of(fs::path(history_) / files().front()).substr(0, 300));
  write(".hidden", "");
  fs::create_directory(fs::path(history_) / "folder");
  ASSERT_EQ(run_command("merge", {"-q", "-o", history_ + "/merged.pb.gz", run(0)}).status, done);
  const Outcome outcome = store(run(0), {"--runs", "2", "--prune"});
  EXPECT_EQ(outcome.status, done) << outcome.out;
  const Json json = Json::parse(outcome.out);
  EXPECT_THAT(json["baseline"]["runs"], SizeIs(2));
  EXPECT_THAT(json["notes"], UnorderedElementsAre(HasSubstr("notes.txt: left out: is no profile of pprof"),
                                                  HasSubstr("b.pb.gz: left out: ")));
  const std::vector<std::string> left = files();
  EXPECT_THAT(left, SizeIs(7));  // two stored files, and the five other files
  EXPECT_THAT(left, testing::IsSupersetOf({".hidden", "a\nb.pb.gz", "folder", "merged.pb.gz", "notes.txt"}));
}

// The bytes do not depend on the number of reading threads.
TEST_F(CheckHistory, FortyRunsAreReadSideBySide) {
  fs::create_directories(history_);
  for (unsigned i = 0; i < 40; ++i)
    ASSERT_EQ(run_command("merge", {"-q", "-o", fmt::format("{}/{:03}.pb.gz", history_, i), run(0)}).status, done);
  const std::string stored = history_ + "/" + files().front();
  const std::string slower = run(300), text = run(0);
  const auto check_with = [&](const char* jobs) {
    options::Arguments arguments{"-q", jobs, "--json", "--history", history_, "--runs", "40"};
    arguments.insert(arguments.end(), {"--candidate", slower, stored, text});
    return run_command("check", arguments);
  };
  const Outcome one = check_with("-j1");
  const Json json = Json::parse(one.out);
  EXPECT_THAT(json["baseline"]["runs"], SizeIs(40));
  EXPECT_EQ(json["baseline"]["samples"], 40 * 6000 + 40);
  EXPECT_EQ(json["candidate"]["samples"], 3 * 6000 + 594 + 3);
  EXPECT_EQ(json["findings"][0]["function"]["symbol"], "f");
  for (const char* jobs : {"-j2", "-j7"}) {
    const Outcome several = check_with(jobs);
    EXPECT_EQ(several.status, one.status);
    EXPECT_EQ(several.out, one.out);
  }
}

TEST_F(CheckHistory, AnEmptyFolderAndOneRun) {
  fs::create_directories(history_);
  EXPECT_EQ(check_run(run(0)).status, cannot_judge);
  store(run(0));
  const Json json = Json::parse(check_run(run(0)).out);
  EXPECT_THAT(json["baseline"]["runs"], SizeIs(1));
  EXPECT_EQ(json["baseline"]["samples"], 6001);
}

// An older run replaces a run that is left out.
TEST_F(CheckHistory, DamagedFilesAmongStoredRunsAreLeftOut) {
  for (unsigned i = 0; i < 5; ++i) store(run(0, i));
  std::vector<std::string> names = files();  // oldest first
  const std::string flipped = history_ + "/" + names[3], cut = history_ + "/" + names[4];
  std::string bytes = test::content_of(flipped);
  bytes[bytes.size() / 2] ^= 0x10;
  std::ofstream(flipped) << bytes;
  fs::resize_file(cut, fs::file_size(cut) - 4);
  const std::string candidate = run(0, 2);
  const Outcome outcome = check_run(candidate, {"--runs", "3"});
  EXPECT_EQ(outcome.status, done) << outcome.out;
  const Json json = Json::parse(outcome.out);
  EXPECT_THAT(json["notes"], UnorderedElementsAre(HasSubstr(names[3] + ": left out: the gzip data are damaged"),
                                                  HasSubstr(names[4] + ": left out: the gzip data end too early")));
  EXPECT_EQ(json["baseline"]["runs"],
            (Json{directory_.path() / "run0", directory_.path() / "run1", directory_.path() / "run2"}));
  fs::remove(flipped);
  fs::remove(cut);
  Json without = Json::parse(check_run(candidate, {"--runs", "3"}).out);
  without["notes"] = json["notes"];
  EXPECT_EQ(without, json);
}

// A stored file outside the folder, or in the place of a file of the folder, counts as the file that it is.
TEST_F(CheckHistory, PruningKnowsWhereTheCandidateIs) {
  for (unsigned i = 0; i < 4; ++i) store(run(0));
  const std::vector<std::string> stored = files();
  const auto save_to = [&](const std::string& path, const char* runs) {
    return check_run(run(0), {"--save-anyway", "--save-baseline", path, "--runs", runs, "--prune"}).status;
  };
  EXPECT_EQ(save_to(directory_.path() / "elsewhere.pb.gz", "3"), done);
  EXPECT_THAT(files(), ElementsAre(stored[1], stored[2], stored[3]));
  EXPECT_EQ(save_to(history_ + "/" + stored[1], "2"), done);  // now the newest
  EXPECT_THAT(files(), ElementsAre(stored[1], stored[3]));
  EXPECT_EQ(save_to(history_, "2"), done);
  EXPECT_THAT(files(), SizeIs(2));
  EXPECT_THAT(files(), testing::Contains(stored[1]));
}

// The order is that in which the runs were stored, whatever their names.
TEST_F(CheckHistory, TheNewestRunsCount) {
  fs::create_directories(history_);
  std::vector<std::string> named;
  for (const char* name : {"c", "a", "b"}) {
    const std::string candidate = directory_.write(name, std::string_view(test::content_of(run(0))));
    named.push_back(candidate);
    run_command("check", {"-q", "--baseline", candidate, "--candidate", candidate, "--save-anyway", "--save-baseline",
                          fmt::format("{}/{}.pb.gz", history_, name)});
  }
  const Json json = Json::parse(check_run(run(0), {"--runs", "2"}).out);
  EXPECT_EQ(json["baseline"]["runs"], (Json{named[1], named[2]}));
}

TEST_F(CheckHistory, JobsAtTheSameTimeLoseNoRun) {
  const std::string candidate = run(0);
  std::vector<std::thread> jobs;
  std::vector<int> statuses(8, -1);
  for (int& status : statuses) {
    jobs.emplace_back([&] {
      status = with_errors_told([&] {
        return run_command(*find_command("check"), {"-q", "-o", "/dev/null", "--history", history_, candidate,
                                                    "--save-baseline", history_ + "/", "--save-anyway"});
      });
    });
  }
  for (std::thread& job : jobs) job.join();
  for (const int status : statuses) EXPECT_TRUE(status == done || status == cannot_judge) << status;
  EXPECT_THAT(files(), SizeIs(8));
}

// A job may remove a file that another job is about to read.
TEST_F(CheckHistory, JobsThatRemoveFilesDisturbNoOther) {
  const std::string candidate = run(0);
  std::vector<std::thread> jobs;
  std::vector<int> failures(6);
  for (int& failed : failures) {
    jobs.emplace_back([&] {
      for (int build = 0; build < 5; ++build) {
        const int status = with_errors_told([&] {
          return run_command(*find_command("check"),
                             {"-q", "-j1", "-o", "/dev/null", "--history", history_, candidate, "--save-baseline",
                              history_ + "/", "--save-anyway", "--runs", "2", "--prune"});
        });
        failed += int{status != done && status != cannot_judge};
      }
    });
  }
  for (std::thread& job : jobs) job.join();
  EXPECT_EQ(failures, std::vector<int>(6));
  EXPECT_THAT(files(), SizeIs(testing::Ge(2u)));
  EXPECT_THAT(files(), SizeIs(testing::Le(2u + 6u)));
}

TEST_F(CheckHistory, MistakesSayWhatIsMeant) {
  const std::string candidate = run(0);
  const auto error = [&](options::Arguments arguments) {
    const Outcome outcome = run_command("check", arguments);
    EXPECT_EQ(outcome.status, wrong_usage);
    return outcome.err;
  };
  EXPECT_THAT(error({"--history", candidate, candidate}), HasSubstr("is no directory"));
  EXPECT_THAT(error({"--history", history_, "--baseline", candidate, candidate}),
              HasSubstr("--baseline and --history"));
  EXPECT_THAT(error({"--history", history_, "--runs", "0", candidate}),
              HasSubstr("--runs 0: a whole number from 1 to 500 is needed"));
  EXPECT_THAT(error({"--history", history_, "--drift", "x", candidate}),
              HasSubstr("--drift x: there are fail and note"));
  EXPECT_THAT(error({"--history", history_, "--prune", candidate}), HasSubstr("--prune needs"));
  EXPECT_THAT(error({"--save-anyway", candidate, candidate}), HasSubstr("--save-anyway needs"));
  EXPECT_THAT(error({candidate, candidate, "--save-baseline", candidate}), HasSubstr(candidate));
}

}  // namespace
}  // namespace perfsift::tools::check_histories
