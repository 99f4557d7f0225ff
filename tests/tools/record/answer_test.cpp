// perfsift record --fold and others: what they print is compared with what the same command prints of a file, on events
// whose number is known: system calls of a shell loop.

#include <csignal>
#include <filesystem>
#include <iostream>
#include <regex>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/record/live.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::answer_tests {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::EndsWith;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Words = options::Arguments;

constexpr const char* kill_event = "/sys/kernel/tracing/events/syscalls/sys_enter_kill/id";
// A shell's own command, so there is no other process.
constexpr const char* hundred_calls = "i=0; while [ $i -lt 100 ]; do kill -0 $$; i=$((i+1)); done";

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Words hundred_calls_recorded(const std::string& where) {
  return {"-e",         "syscalls:sys_enter_kill", "-c", "1", "-g", "--no-buildid-mmap", where, "--", "sh", "-c",
          hundred_calls};
}

// Events that need no privileges.
Words page_faults_of(const Words& options, const std::string& shell_command) {
  return with(with({"-e", "page-faults:u", "-c", "1", "--no-buildid-mmap"}, options),
              {"--", "sh", "-c", shell_command});
}

// In a process of its own: a recorder gives up rights of root, which other tests need.
Outcome record(const Words& words) {
  return outcome_of([&] {
    const pid_t recorder = fork();
    if (recorder == 0) {
      const int status = with_errors_told([&] { return tools::run_command(*find_command("record"), words); });
      std::cout.flush();
      _exit(status);
    }
    int status = 0;
    waitpid(recorder, &status, 0);
    return WEXITSTATUS(status);
  });
}

bool appears_within_seconds(const std::string& path, int seconds) {
  for (int waited = 0; waited < seconds * 100; ++waited) {
    if (std::filesystem::exists(path)) return true;
    usleep(10'000);
  }
  return false;
}

// A closed pipe is found when writing, as in main().
class AnswerTest : public ::testing::Test {
 protected:
  AnswerTest() { std::signal(SIGPIPE, SIG_IGN); }
  ~AnswerTest() override { std::signal(SIGPIPE, SIG_DFL); }
};

TEST_F(AnswerTest, IsThatOfTheSameCommandOnAFile) {
  if (access(kill_event, R_OK) != 0) GTEST_SKIP() << "no right to read tracefs";
  SKIP_WITHOUT_EVENTS({.tid = 0});
  const test::TemporaryDirectory folder;
  const std::string file = folder.path() / "calls.data";
  ASSERT_EQ(record(with({"-q"}, hundred_calls_recorded("--output=" + file))).status, 0);
  const struct {
    const char* command;
    Words words;
  } answers[] = {{"fold", {}},
                 {"flame", {"--title", "calls"}},
                 {"report", {"--sort", "comm,dso"}},
                 {"report", {"--json"}},
                 {"report", {"--tree", "--csv"}}};
  for (const auto& [command, words] : answers) {
    std::string option = std::string("--") + command + (words.empty() ? "" : "=");
    for (const std::string& word : words) option += " '" + word + "'";
    const Outcome at_once = record(hundred_calls_recorded(option));
    const Outcome of_file = run_command(command, with(words, {file}));
    EXPECT_EQ(at_once.status, 0) << option;
    // A picture names its input. It is too long for a message.
    EXPECT_TRUE(at_once.out == std::regex_replace(of_file.out, std::regex("calls\\.data"), "standard input")) << option;
    EXPECT_THAT(at_once.out, HasSubstr("100")) << option;
    EXPECT_THAT(at_once.err, HasSubstr("100 samples, none lost")) << option;
    EXPECT_THAT(at_once.err, HasSubstr(std::string("read by perfsift ") + command)) << option;
  }
}

TEST_F(AnswerTest, WithoutOptionsIsThatOfTheCommandAlone) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  const Outcome outcome = record(page_faults_of({"--report"}, "true"));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, AllOf(StartsWith("page-faults:u: "), HasSubstr("symbol")));
}

TEST_F(AnswerTest, WrongOptionsAreFoundBeforeAnythingRuns) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  const test::TemporaryDirectory folder;
  const std::string ran = folder.path() / "ran";
  const struct {
    const char* option;
    const char* message;
  } cases[] = {{"--fold=--nonsense", "--nonsense"},
               {"--report=--sort nonsense", "nonsense"},  // found by the command itself
               {"--report='unfinished", "unfinished"},
               {"--fold=other.data", "no file can be named"},
               {"--report=--files-from list", "no file can be named"}};
  for (const auto& [option, message] : cases) {
    const Outcome outcome = record(page_faults_of({option}, "touch '" + ran + "'"));
    EXPECT_EQ(outcome.status, wrong_usage) << option;
    EXPECT_THAT(outcome.err, HasSubstr(message)) << option;
    EXPECT_EQ(outcome.out, "") << option;
    EXPECT_FALSE(std::filesystem::exists(ran)) << option;
  }
}

TEST_F(AnswerTest, TakesThePlaceOfAFile) {
  for (const Words& words :
       {Words{"--fold", "-o", "x.data"}, Words{"--fold", "-z"}, Words{"--report", "--switch-output=1M"},
        Words{"--flame", "--flight", "5s"}, Words{"--fold", "--report"}}) {
    const Outcome outcome = record(page_faults_of(words, "true"));
    EXPECT_EQ(outcome.status, wrong_usage) << words.back();
    EXPECT_THAT(outcome.err, AnyOf(HasSubstr("exclude each other"), HasSubstr("choose one"))) << words.back();
  }
}

TEST_F(AnswerTest, TheExitStatusIsThatOfTheCommandUnlessTheAnswerFails) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  EXPECT_EQ(record(page_faults_of({"-q", "--fold"}, "exit 7")).status, 7);
  const Words nothing_kept{"-q", R"(--fold=--filter 'comm == "nobody"' --fail-empty)"};
  EXPECT_EQ(record(page_faults_of(nothing_kept, "exit 7")).status, check_failed);
}

TEST_F(AnswerTest, ACommandThatCannotRunHasNoAnswer) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  const Outcome outcome = record({"-e", "page-faults:u", "--fold", "--", "/no/such/program"});
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_THAT(outcome.err, HasSubstr("/no/such/program"));
  EXPECT_EQ(outcome.out, "");
}

TEST_F(AnswerTest, ThatEndsEarlyEndsTheRecording) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  const test::TemporaryDirectory folder;
  const std::string ran = folder.path() / "ran";
  const Outcome outcome = record(page_faults_of({"--offcpu=--show-idle-list"}, "touch '" + ran + "'"));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("perfsift offcpu has ended, and the recording with it"));
  EXPECT_NE(outcome.out, "");
  EXPECT_FALSE(std::filesystem::exists(ran));
}

TEST_F(AnswerTest, PrintsHelpOfItsCommand) {
  const Outcome outcome = record({"--fold=--help", "--", "true"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, StartsWith("Usage: perfsift fold "));
}

// As Ctrl-C in a terminal: all processes in front get the signal.
TEST_F(AnswerTest, ComesAfterASignalToAllProcesses) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    const test::TemporaryDirectory folder;
    const std::string started = folder.path() / "started", out = folder.path() / "out";
    const pid_t recorder = fork();
    if (recorder == 0) {
      setpgid(0, 0);
      const int file = open(out.c_str(), O_CREAT | O_WRONLY, 0600);
      dup2(file, STDOUT_FILENO);
      for (const int usual : {SIGINT, SIGTERM, SIGHUP}) std::signal(usual, SIG_DFL);
      const Words words = page_faults_of({"-q", "--fold"}, "touch '" + started + "'; exec sleep 60");
      _exit(with_errors_told([&] { return tools::run_command(*find_command("record"), words); }));
    }
    const bool has_started = appears_within_seconds(started, 60);
    kill(-recorder, number);
    int status = 0;
    ASSERT_EQ(waitpid(recorder, &status, 0), recorder);
    ASSERT_TRUE(has_started);
    EXPECT_TRUE(WIFEXITED(status)) << number;
    EXPECT_THAT(test::content_of(out), AllOf(HasSubstr("sh;"), EndsWith("\n"))) << number;
  }
}

}  // namespace
}  // namespace perfsift::tools::answer_tests
