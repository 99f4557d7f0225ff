// The table of commands and options of other tools. Every row must be true of the current perfsift.

#include "tools/other_tools.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"
#include "tools/completion/offers.h"
#include "tools/program.h"

namespace perfsift::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream words{std::string(text)};
  return {std::istream_iterator<std::string>(words), {}};
}

bool has_option(const std::string& command, std::string option) {
  option = option.substr(0, option.find_first_of("=,;:"));
  return std::ranges::any_of(options_of(*find_command(command)), [&](const options::OptionFact& fact) {
    return fact.name == option || fact.letter == option;
  });
}

// Each option in `line` must be an option of the command.
void expect_options_of(const std::string& command, std::string_view line) {
  for (const std::string& word : words_of(line)) {
    const bool is_option = word.size() > 1 && word[0] == '-';
    EXPECT_TRUE(!is_option || has_option(command, word)) << command << ": " << word;
  }
}

TEST(OtherTools, HaveNoCommandOfPerfsiftAndNoCommandTwice) {
  std::set<std::string> seen;
  for (const OtherCommand& other : other_commands()) {
    for (const std::string& name : words_of(other.names)) {
      EXPECT_EQ(find_command(name), nullptr) << name << " is a command: remove it from the table";
      EXPECT_TRUE(seen.insert(name).second) << name << " is there twice";
    }
  }
}

TEST(OtherTools, AreAnsweredWithCommandsAndOptionsThatExist) {
  for (const OtherCommand& other : other_commands()) {
    const std::vector<std::string> words = words_of(other.instead);
    if (words.empty() || words[0] == "perf" || words[1] == "--version") continue;
    ASSERT_EQ(words[0], "perfsift") << other.names;
    ASSERT_NE(find_command(words[1]), nullptr) << other.names;
    expect_options_of(words[1], other.instead);
  }
}

// Commands in backticks in a sentence, such as "`perfsift export --to jsonl`", must also exist.
TEST(OtherTools, NameCommandsThatExistInTheirSentences) {
  std::vector<std::string_view> sentences;
  for (const OtherCommand& other : other_commands()) sentences.push_back(other.why);
  for (const OtherOption& other : other_options()) sentences.push_back(other.why);
  for (const std::string_view sentence : sentences) {
    EXPECT_NE(sentence.back(), '.') << sentence;
    for (std::size_t begin = sentence.find('`'); begin != std::string_view::npos;) {
      const std::size_t end = sentence.find('`', begin + 1);
      ASSERT_NE(end, std::string_view::npos) << sentence;
      const std::vector<std::string> words = words_of(sentence.substr(begin + 1, end - begin - 1));
      ASSERT_GE(words.size(), 2u) << sentence;
      EXPECT_NE(find_command(words[1]), nullptr) << sentence;
      expect_options_of(words[1], sentence.substr(begin + 1, end - begin - 1));
      begin = sentence.find('`', end + 1);
    }
  }
}

TEST(OtherTools, OptionsAreUnknownHereAndTheirAnswersAreKnown) {
  for (const OtherOption& other : other_options()) {
    const std::string command(other.command);
    for (const std::string& name : words_of(other.names)) {
      EXPECT_FALSE(has_option(command, name)) << command << " has " << name << ": remove it from the table";
      const Outcome outcome = outcome_of([&] { return run_program({command, name, "x"}); });
      EXPECT_EQ(outcome.status, wrong_usage);
      EXPECT_EQ(outcome.err, "perfsift: '" + name + "': unknown option; " + std::string(other.why) + "\n");
    }
    if (words_of(other.why)[0].starts_with("--")) expect_options_of(command, other.why);
  }
}

TEST(OtherTools, AreAnsweredByTheProgram) {
  const test::TemporaryDirectory empty;  // in other folders, a name may be that of a file
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(empty.path());
  for (const OtherCommand& other : other_commands()) {
    for (const std::string& name : words_of(other.names)) {
      const Outcome outcome = outcome_of([&] { return run_program({name}); });
      EXPECT_EQ(outcome.status, wrong_usage);
      EXPECT_THAT(outcome.err, StartsWith("perfsift: '" + name + "': no such command, and no such file; "));
      EXPECT_THAT(outcome.err, HasSubstr(other.instead));
      EXPECT_THAT(outcome.err, HasSubstr(other.why));
      EXPECT_EQ(outcome.out, "");
    }
  }
  std::filesystem::current_path(before);
}

TEST(OtherTools, CommandsThatOnlyPerfHasAreNamed) {
  EXPECT_EQ(instead_of_command("ftrace"), "perf has this command: perf ftrace");
}

}  // namespace
}  // namespace perfsift::tools
