// perfsift top where standard output is no terminal.

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/record/live.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::top_tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

// Not as fast as it can: with sanitizers, tables of a million samples take minutes.
[[noreturn]] void fault_for_ever() {
  while (true) test::fault(100), usleep(1000);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

options::Arguments words_for(const test::Child& busy, const options::Arguments& more) {
  options::Arguments words{"-q", "-e", "page-faults:u", "-c", "1", "-p", std::to_string(busy.pid())};
  words.insert(words.end(), more.begin(), more.end());
  if (std::ranges::count(words, "-d") == 0) words.insert(words.end(), {"-d", "100ms"});
  return words;
}

TEST(Top, PrintsSoManyTables) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  test::Child busy(fault_for_ever);
  busy.release();
  const Outcome outcome = run_command("top", words_for(busy, {"-n", "3", "--sort", "symbol"}));
  EXPECT_EQ(outcome.status, 0);
  const std::vector<std::string> lines = lines_of(outcome.out);
  EXPECT_EQ(std::ranges::count_if(lines, [](const auto& line) { return line.starts_with("page-faults:u: "); }), 3);
  EXPECT_EQ(std::ranges::count_if(lines, [](const auto& line) { return line.find(" samples in ") != line.npos; }), 3);
  EXPECT_THAT(outcome.out, HasSubstr("perfsift::test::fault"));
}

TEST(Top, JsonHasALineForEachTable) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  test::Child busy(fault_for_ever);
  busy.release();
  const Outcome outcome = run_command("top", words_for(busy, {"-n", "2", "--json", "--sort", "comm,symbol"}));
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 2u);
  for (const std::string& line : lines) {
    const Json table = Json::parse(line);
    EXPECT_GT(table["seconds"], 0.0);  // shorter than asked where the interval before took long
    ASSERT_EQ(table["events"].size(), 1u);
    std::uint64_t sum = 0;
    for (const Json& row : table["events"][0]["rows"]) sum += row["self"]["samples"].get<std::uint64_t>();
    EXPECT_EQ(sum, table["samples"].get<std::uint64_t>());
    EXPECT_GT(sum, 100u);
  }
}

// The process that faults has begun after top.
TEST(Top, NamesProcessesThatBeginLater) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  test::Child parent([] {
    while (true) {
      usleep(150'000);
      if (fork() != 0) continue;
      execl("/bin/sh", "later", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done", nullptr);
      _exit(1);
    }
  });
  parent.release();
  const Outcome outcome = run_command("top", words_for(parent, {"-n", "10", "--sort", "comm,dso"}));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("libc.so"));
  EXPECT_EQ(outcome.out.find("[unknown]"), std::string::npos) << outcome.out;
}

TEST(Top, EndsWithItsTarget) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  test::Child busy([] { test::fault(1000); });
  const pid_t releaser = fork();
  if (releaser == 0) {
    usleep(500'000);
    busy.release();
    _exit(0);
  }
  const Outcome outcome = run_command("top", words_for(busy, {"-d", "3600s", "--sort", "symbol"}));
  waitpid(releaser, nullptr, 0);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr(" samples in "), HasSubstr("perfsift::test::fault")));
}

TEST(Top, FiltersByNames) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  test::Child busy(fault_for_ever);
  busy.release();
  const options::Arguments nothing{"-n", "1", "--filter", R"(sym == "no_such_function")"};
  EXPECT_EQ(run_command("top", words_for(busy, nothing)).out.find("fault"), std::string::npos);
  const options::Arguments own{"-n", "1", "--filter", R"(sym =~ "fault")"};
  EXPECT_THAT(run_command("top", words_for(busy, own)).out, HasSubstr("fault"));
}

TEST(Top, WrongOptionsAreRefused) {
  const struct {
    options::Arguments words;
    const char* message;
  } cases[] = {{{"--delay", "1ns"}, "50ms to 3600s"},   {{"--sort", "nonsense"}, "nonsense"},
               {{"--order", "both"}, "self and total"}, {{"--filter", "sym =="}, "--filter"},
               {{"a.out"}, "more arguments"},           {{"-a", "-p", "1"}, "--all-cpus excludes"}};
  for (const auto& [words, message] : cases) {
    const Outcome outcome = run_command("top", words);
    EXPECT_EQ(outcome.status, wrong_usage) << words.front();
    EXPECT_THAT(outcome.err, HasSubstr(message)) << words.front();
  }
}

}  // namespace
}  // namespace perfsift::tools::top_tests
