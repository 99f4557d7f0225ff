// Words of a text: XCU 2.2 of POSIX says what quotes mean, and bash reads the same texts.

#include "base/shell_words.h"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/shell_word.h"

namespace perfsift {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The words between NUL bytes as bash reads them.
std::vector<std::string> split_by_bash(const std::string& text) {
  const std::string command = "exec bash -c \"$(cat <<'END'\nprintf '%s\\0' " + text + "\nEND\n)\"";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::vector<std::string> words(1);
  for (int c; (c = std::fgetc(pipe.get())) != EOF;) {
    if (c != 0) {
      words.back() += static_cast<char>(c);
    } else {
      words.emplace_back();
    }
  }
  words.pop_back();
  return words;
}

TEST(ShellWords, BlanksSeparateWords) {
  EXPECT_THAT(shell_words(""), IsEmpty());
  EXPECT_THAT(shell_words(" \t\n "), IsEmpty());
  EXPECT_THAT(shell_words("--sort  comm,dso\t--limit 20\n"), ElementsAre("--sort", "comm,dso", "--limit", "20"));
}

TEST(ShellWords, QuotesKeepBlanksAndOtherQuotes) {
  EXPECT_THAT(shell_words(R"(--filter 'comm == "a b"' x)"), ElementsAre("--filter", R"(comm == "a b")", "x"));
  EXPECT_THAT(shell_words(R"('' "" a''b)"), ElementsAre("", "", "ab"));
}

TEST(ShellWords, AreThoseOfAShell) {
  for (const std::string& text :
       {std::string(R"(a\ b c\"d 'e\f' "g\"h\\i\j\$" k'l m'"n o"p)"), std::string("x\\\ny \"q\\\nr\""),
        std::string(R"(--title="it's"  -o'a b'.svg)"), shell_word("it's"), shell_word("two words")})
    EXPECT_EQ(shell_words(text), split_by_bash(text)) << text;
}

TEST(ShellWords, AQuotationMustEnd) {
  for (const char* text : {"'a", "\"a", "a\\", "\"a\\\""}) EXPECT_THROW(shell_words(text), UsageError) << text;
}

}  // namespace
}  // namespace perfsift
