#include "base/glob.h"

#include <string>
#include <string_view>
#include <vector>

#include <fnmatch.h>
#include <gtest/gtest.h>

namespace perfsift {
namespace {

// All texts of these characters, up to a length.
std::vector<std::string> words_of(std::string_view characters, std::size_t longest) {
  std::vector<std::string> words{""};
  for (std::size_t first = 0, length = 1; length <= longest; ++length) {
    const std::size_t end = words.size();
    for (; first < end; ++first) {
      for (const char c : characters) words.push_back(words[first] + c);
    }
  }
  return words;
}

// fnmatch() of the C library, whose globs are those of glob(7).
void expect_as_fnmatch(const std::vector<std::string>& globs, const std::vector<std::string>& texts) {
  for (const std::string& glob : globs) {
    for (const std::string& text : texts) {
      const bool expected = fnmatch(glob.c_str(), text.c_str(), 0) == 0;
      ASSERT_EQ(matches_glob(glob, text, Brackets::classes), expected) << glob << " and " << text;
    }
  }
}

TEST(Glob, MatchesAsTheCLibraryDoes) { expect_as_fnmatch(words_of("ab*?", 5), words_of("ab/", 5)); }

TEST(Glob, HasTheClassesOfTheCLibrary) {
  std::vector<std::string> globs;
  for (const std::string& inner : words_of("ac]!^-*", 4)) globs.push_back("[" + inner + "]*");
  expect_as_fnmatch(globs, words_of("abc]-", 3));
}

TEST(Glob, HasTheEscapesOfTheCLibrary) {
  std::vector<std::string> globs;
  // What stands behind a backslash at the end differs between C libraries.
  for (const std::string& glob : words_of("a\\*?", 4)) globs.push_back(glob + "b");
  expect_as_fnmatch(globs, words_of("a\\*b", 4));
}

TEST(Glob, HasBracketsAsOrdinaryCharacters) {
  EXPECT_TRUE(matches_glob("[kernel*]", "[kernel.kallsyms]"));
  EXPECT_FALSE(matches_glob("[ab]", "a"));
  EXPECT_TRUE(matches_glob("[ab]", "[ab]"));
  EXPECT_TRUE(matches_glob("[a", "[a", Brackets::classes));
}

TEST(Glob, MatchesAnyBytes) {
  EXPECT_TRUE(matches_glob("a?b*", std::string_view("a\0b\xff\n", 5)));
  EXPECT_TRUE(matches_glob("[\x80-\xff]", "\xe9", Brackets::classes));
  EXPECT_TRUE(matches_glob("a\\", "a\\"));
}

// With every star tried for every other, 2^40 ways.
TEST(Glob, OfManyStarsIsMatchedInOnePass) {
  std::string glob, text(4000, 'a');
  for (int i = 0; i < 40; ++i) glob += "*a";
  EXPECT_FALSE(matches_glob(glob + "b", text));
  EXPECT_TRUE(matches_glob(glob + "*", text));
}

TEST(Glob, WithoutWildcardsIsOneText) {
  EXPECT_FALSE(has_wildcards("sched:sched_switch"));
  EXPECT_FALSE(has_wildcards("f(char\\*)"));
  EXPECT_EQ(without_escapes("f(char\\*)\\\\"), "f(char*)\\");
  EXPECT_FALSE(has_wildcards("[vdso]"));
  EXPECT_TRUE(has_wildcards("[vdso]", Brackets::classes));
  EXPECT_FALSE(has_wildcards("[vdso", Brackets::classes));
  EXPECT_TRUE(has_wildcards("a?"));
  EXPECT_TRUE(has_wildcards("\\a*"));
}

}  // namespace
}  // namespace perfsift
