// The characters that control a terminal: see ECMA-48 and the C0 and C1 sets of Unicode (UnicodeData.txt, general
// category Cc).

#include "base/printable.h"

#include <gtest/gtest.h>

namespace perfsift {
namespace {

using namespace std::string_literals;

// A character in the encoding of RFC 3629.
std::string utf8(char32_t c) {
  const auto byte = [](char32_t bits) { return static_cast<char>(bits); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xc0 | c >> 6), byte(0x80 | (c & 0x3f))};
  if (c < 0x10000) return {byte(0xe0 | c >> 12), byte(0x80 | (c >> 6 & 0x3f)), byte(0x80 | (c & 0x3f))};
  return {byte(0xf0 | c >> 18), byte(0x80 | (c >> 12 & 0x3f)), byte(0x80 | (c >> 6 & 0x3f)), byte(0x80 | (c & 0x3f))};
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7f && c <= 0x9f); }

// Unicode 15, DerivedGeneralCategory.txt: Cf, Zl and Zp, without prepended marks and without the marks of music,
// shorthand and hieroglyphs.
bool is_hidden(char32_t c) {
  return c == 0xad || c == 0x61c || c == 0x180e || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0001 && c <= 0xe007f);
}

TEST(Printable, AnEmptyTextStays) {
  EXPECT_TRUE(is_plain_ascii({}));
  EXPECT_EQ(printable(std::string_view{}), "");
}

TEST(Printable, CharactersStayUnlessTheyAreControls) {
  for (char32_t c = 0; c <= 0x10ffff; ++c) {
    if (c >= 0xd800 && c <= 0xdfff) continue;  // surrogates
    const std::string text = "some" + utf8(c) + "where";
    ASSERT_EQ(printable(text) == text, !is_control(c) && !is_hidden(c)) << std::hex << static_cast<unsigned>(c);
  }
}

TEST(Printable, ControlsAreSpelledAsInC) {
  EXPECT_EQ(printable("\x1b]0;title\x07"), R"(\x1b]0;title\x07)");
  EXPECT_EQ(printable("a\nb\tc\rd"), R"(a\nb\tc\rd)");
  EXPECT_EQ(printable("\x7f"), R"(\x7f)");
  EXPECT_EQ(printable("a\0b"s), R"(a\x00b)");
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            R"(\x9b31m)");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            R"(\xc2\x9b31m)");
}

// The characters of "Trojan Source: Invisible Vulnerabilities" (Boucher and Anderson, 2021), and names that look alike.
TEST(Printable, CharactersThatChangeTheOrderOfOthersAreSpelled) {
  EXPECT_EQ(printable("main\u202e\u2066niam\u2069"), R"(main\xe2\x80\xae\xe2\x81\xa6niam\xe2\x81\xa9)");
  EXPECT_EQ(printable("ma\u200bin"), R"(ma\xe2\x80\x8bin)");
}

TEST(Printable, BackslashesStay) { EXPECT_EQ(printable(R"(C:\new\x1b)"), R"(C:\new\x1b)"); }

// Terminals with UTF-8 show a replacement character for such bytes. Other terminals interpret the bytes.
TEST(Printable, BytesOfC1ThatAreNoPartOfACharacterAreControls) {
  EXPECT_EQ(printable("\xc0\x9b"), "\xc0\\x9b");           // overlong
  EXPECT_EQ(printable("\xe0\x82\x9b"), "\xe0\\x82\\x9b");  // overlong
  EXPECT_EQ(printable("\xe4\xbd"), "\xe4\xbd");            // cut
  EXPECT_EQ(printable("\xe4\x9d"), "\xe4\\x9d");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\xed\xa0\\x80");  // a surrogate
  EXPECT_EQ(printable("caf\xe9"), "caf\xe9");             // Latin-1
}

TEST(Printable, WhatIsEscapedStaysSoWhenItIsEscapedAgain) {
  const std::string once = printable("\x1b[2J\xc2\x85\n");
  EXPECT_EQ(printable(once), once);
}

TEST(Printable, EveryPlaceInATextIsLookedAt) {
  for (std::size_t size = 1; size < 40; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (const char c : {'\x1b', '\x7f', '\x00', '\x1f', '\x9b'}) {
        std::string text(size, '~');
        text[at] = c;
        EXPECT_FALSE(is_plain_ascii(text)) << size << ' ' << at;
      }
    }
    EXPECT_TRUE(is_plain_ascii(std::string(size, '~')));
    EXPECT_TRUE(is_plain_ascii(std::string(size, ' ')));
  }
  EXPECT_TRUE(is_plain_ascii(""));
}

TEST(Printable, LinesKeepTheirEnds) { EXPECT_EQ(printable_lines("one\ntwo\x1b[0m\n"), "one\ntwo\\x1b[0m\n"); }

TEST(Printable, NothingIsCopiedWhereNothingIsEscaped) {
  std::string store;
  const std::string name = "naïve name";
  EXPECT_EQ(printable("plain", store), "plain");
  EXPECT_EQ(store, "");
  EXPECT_EQ(printable(name, store), name);
  EXPECT_EQ(printable("\x1b", store), R"(\x1b)");
}

}  // namespace
}  // namespace perfsift
