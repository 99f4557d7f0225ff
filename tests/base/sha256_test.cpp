#include "base/sha256.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace perfsift {
namespace {

std::string sum_of(std::string_view text) { return sha256(std::as_bytes(std::span(text))); }

// The examples of FIPS 180-2, appendix B, and the sum of nothing.
TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(sum_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sum_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sum_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sum_of(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// The function for processors with instructions of their own, and the one for all.
TEST(Sha256, IsEqualWithAndWithoutInstructions) {
  std::array<std::byte, 64 * 9> blocks;
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = static_cast<std::byte>(i * 7 + i / 64);
  Sha256State fastest{1, 2, 3, 4, 5, 6, 7, 8}, portable = fastest;
  fastest_sha256()(fastest, blocks.data(), 9);
  add_sha256_blocks(portable, blocks.data(), 9);
  EXPECT_EQ(fastest, portable);
}

TEST(Sha256, DoesNotDependOnPieces) {
  const std::string text(1000, 'x');
  for (const std::size_t piece :
       {std::size_t{1}, std::size_t{55}, std::size_t{63}, std::size_t{64}, std::size_t{65}, std::size_t{200}}) {
    Sha256 sum;
    for (std::size_t at = 0; at < text.size(); at += piece)
      sum.add(std::as_bytes(std::span(text)).subspan(at, std::min(piece, text.size() - at)));
    EXPECT_EQ(sum.hex(), sum_of(text)) << piece;
  }
}

}  // namespace
}  // namespace perfsift
