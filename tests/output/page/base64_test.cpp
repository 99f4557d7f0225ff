// The test vectors of RFC 4648, section 10.

#include "output/page/base64.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace perfsift::output {
namespace {

// Encodes a text in two parts.
std::string base64(std::string_view first, std::string_view second) {
  std::string text;
  Base64Writer writer([&](std::string_view digits) { text += digits; });
  writer.write(first);
  writer.write(second);
  writer.end();
  return text;
}

TEST(Base64, PartsAreOneText) {
  constexpr std::pair<std::string_view, std::string_view> vectors[] = {{"", ""},
                                                                       {"f", "Zg=="},
                                                                       {"fo", "Zm8="},
                                                                       {"foo", "Zm9v"},
                                                                       {"foob", "Zm9vYg=="},
                                                                       {"fooba", "Zm9vYmE="},
                                                                       {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
      EXPECT_EQ(base64(bytes.substr(0, cut), bytes.substr(cut)), text) << cut;
    }
  }
}

TEST(Base64, BytesOfAllBits) { EXPECT_EQ(base64("\xfb\xff", "\xbf"), "+/+/"); }

}  // namespace
}  // namespace perfsift::output
