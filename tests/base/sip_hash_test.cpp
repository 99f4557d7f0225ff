#include "base/sip_hash.h"

#include <string>

#include <gmock/gmock.h>

namespace perfsift {
namespace {

constexpr HashKey key = {0x0706050403020100, 0x0f0e0d0c0b0a0908};

Hash128 hash_of_bytes(char count) {
  std::string text;
  for (char c = 0; c < count; ++c) text += c;
  SipHash hash(key);
  hash.take_last(text);
  return hash.finish();
}

// vectors_sip128[] of the reference implementation, as ClickHouse's sipHash128ReferenceKeyed() prints them, too. The
// first eight bytes are `low`, the lowest byte first.
TEST(SipHash, HasTheResultsOfTheReferenceIn128Bits) {
  EXPECT_EQ(hash_of_bytes(0), (Hash128{.low = 0xe6a825ba047f81a3, .high = 0x930255c71472f66d}));
  EXPECT_EQ(hash_of_bytes(1), (Hash128{.low = 0x44af996bd8c187da, .high = 0x45fc229b11597634}));
  EXPECT_EQ(hash_of_bytes(15), (Hash128{.low = 0x11a8b03399e99354, .high = 0xd9c3cf970fec087e}));
  EXPECT_EQ(hash_of_bytes(63), (Hash128{.low = 0x4a83502f77d15051, .high = 0x7cbd3f979a063e50}));
}

TEST(SipHash, ACopyContinuesOnItsOwn) {
  SipHash common(key);
  common.take(std::uint64_t{1});
  SipHash copy = common, whole(key);
  copy.take(std::uint64_t{2});
  common.take(std::uint64_t{3});
  whole.take(std::uint64_t{1});
  whole.take(std::uint64_t{2});
  EXPECT_EQ(copy.finish(), whole.finish());
  EXPECT_NE(copy.finish(), common.finish());
}

TEST(SipHash, TheEndsOfTextsCount) {
  const auto hash_of = [](std::string_view first, std::string_view second) {
    SipHash hash(key);
    hash.take(first);
    hash.take(second);
    return hash.finish();
  };
  EXPECT_NE(hash_of("ab", "c"), hash_of("a", "bc"));
  EXPECT_NE(hash_of("", "abc"), hash_of("abc", ""));
  EXPECT_NE(hash_of(std::string_view("a\0", 2), ""), hash_of("a", ""));
}

}  // namespace
}  // namespace perfsift
