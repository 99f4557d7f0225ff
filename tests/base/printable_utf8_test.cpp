// Text that is valid UTF-8: see RFC 3629, section 4.

#include "base/printable_utf8.h"

#include <gtest/gtest.h>

namespace perfsift {
namespace {

TEST(PrintableUtf8, ValidCharactersStay) {
  EXPECT_EQ(printable_utf8("main"), "main");
  EXPECT_EQ(printable_utf8("\u00e9\u6f22\U0001f600"), "\u00e9\u6f22\U0001f600");
}

TEST(PrintableUtf8, BytesOfNoCharacterAreEscaped) {
  EXPECT_EQ(printable_utf8("a\xff"
                           "b"),
            R"(a\xffb)");
  EXPECT_EQ(printable_utf8("a\xc3"), R"(a\xc3)");
  EXPECT_EQ(printable_utf8("\xc0\xaf"), R"(\xc0\xaf)");                  // more bytes than needed
  EXPECT_EQ(printable_utf8("\xed\xa0\x80"), R"(\xed\xa0\x80)");          // half of a surrogate pair
  EXPECT_EQ(printable_utf8("\xf4\x90\x80\x80"), R"(\xf4\x90\x80\x80)");  // beyond U+10FFFF
}

TEST(PrintableUtf8, ControlsAreEscaped) {
  EXPECT_EQ(printable_utf8("\x1b[1m\n\xc2\x9b\x7f"), R"(\x1b[1m\n\xc2\x9b\x7f)");
}

// U+202E writes the following text from right to left. XML does not allow U+FFFE.
TEST(PrintableUtf8, CharactersThatChangeTheTextAreEscaped) {
  EXPECT_EQ(printable_utf8("\u2028"), R"(\xe2\x80\xa8)");
  EXPECT_EQ(printable_utf8("\u202e"), R"(\xe2\x80\xae)");
  EXPECT_EQ(printable_utf8("\u2066"), R"(\xe2\x81\xa6)");
  EXPECT_EQ(printable_utf8("\xef\xbf\xbe"), R"(\xef\xbf\xbe)");
  EXPECT_EQ(printable_utf8("\u2027\u202f\u2070\ufffd"), "\u2027\u202f\u2070\ufffd");
}

}  // namespace
}  // namespace perfsift
