#include "output/markup.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace perfsift::output {
namespace {

TEST(MarkupText, HasNoMarkup) {
  EXPECT_EQ(markup_text("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(markup_text("]]>"), "]]&gt;");
}

TEST(MarkupText, IsValidUtf8WithoutControlCharacters) {
  EXPECT_EQ(markup_text("é 漢 😀"), "é 漢 😀");
  EXPECT_EQ(markup_text(std::string_view("\0\n\x1b\x7f\xff", 5)), "\\x00\\n\\x1b\\x7f\\xff");
  EXPECT_EQ(markup_text("\xc3"), "\\xc3");
  EXPECT_EQ(markup_text("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a surrogate pair
  EXPECT_EQ(markup_text("\u2028\u202e\u2069\xef\xbf\xbe"),
            "\\xe2\\x80\\xa8\\xe2\\x80\\xae\\xe2\\x81\\xa9\\xef\\xbf\\xbe");
}

TEST(JsonText, IsJsonWithoutMarkup) {
  const std::string text = json_text("</script>]]><!--&\"\\ é");
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(text), "</script>]]><!--&\"\\ é");
  EXPECT_EQ(nlohmann::json::parse(json_text("\n\xff")), "\\n\\xff");
}

}  // namespace
}  // namespace perfsift::output
