// Words for shells: XCU 2.2 of POSIX.1-2024 says what quotes mean, and bash reads the words.

#include "base/shell_word.h"

#include <cstdio>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/printable_utf8.h"

namespace perfsift {
namespace {

// The words as bash reads them.
std::string read_by_bash(const std::string& words) {
  const std::string command = "exec bash -c \"$(cat <<'END'\nprintf '<%s>' " + words + "\nEND\n)\"";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string result;
  for (int c; (c = std::fgetc(pipe.get())) != EOF;) result += static_cast<char>(c);
  return result;
}

TEST(ShellWord, PlainWordsStay) {
  EXPECT_EQ(shell_word("/tmp/perf-1.data,x=@%+:"), "/tmp/perf-1.data,x=@%+:");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's"), R"('it'\''s')");
  EXPECT_EQ(shell_word("\x1b[1m'\\"), R"($'\x1b[1m\'\\')");
}

TEST(ShellWord, AShellReadsTheText) {
  for (const std::string& text : {std::string("ev<il>&\"$(touch x).data"), std::string("comm == \"a'b\" && `id` || !x"),
                                  std::string("two\nlines\tand\x1b[2J 'q' \\n \\"),
                                  std::string("\xff\u202e~*?[a]{b,c}#;"), std::string("~root"), std::string("-x")}) {
    const std::string word = shell_word(text);
    EXPECT_EQ(read_by_bash(word + " end"), "<" + text + "><end>") << word;
    EXPECT_EQ(printable_utf8(word), word);
  }
}

TEST(ShellWord, APathIsNoOption) {
  EXPECT_EQ(shell_path("-o"), "./-o");
  EXPECT_EQ(shell_path("a-o"), "a-o");
}

}  // namespace
}  // namespace perfsift
