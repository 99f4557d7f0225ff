// SipHash-2-4 (Aumasson, Bernstein, 2012) with results of 64 and 128 bits.
//
// With a secret key, the hash reveals nothing about the hashed text. With a known key, the 128 bits identify contents:
// nobody finds two texts with one hash by chance.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace perfsift {

using HashKey = std::array<std::uint64_t, 2>;

struct Hash128 {
  std::uint64_t low = 0, high = 0;
  auto operator<=>(const Hash128&) const = default;
};

// The state after some words. A copy continues on its own: the hashes of texts with a common start share its work.
class SipHash {
 public:
  enum class Width : std::uint8_t { bits_64, bits_128 };

  explicit SipHash(const HashKey& key, Width width = Width::bits_128)
      : v0_(key[0] ^ 0x736f6d6570736575),
        v1_(key[1] ^ 0x646f72616e646f6d ^ (width == Width::bits_128 ? wide : 0)),
        v2_(key[0] ^ 0x6c7967656e657261),
        v3_(key[1] ^ 0x7465646279746573) {}

  void take(std::uint64_t word) {
    v3_ ^= word;
    round();
    round();
    v0_ ^= word;
  }
  // Takes the length and the bytes, so that the ends of successive texts count.
  void take(std::string_view text) {
    take(text.size());
    take_bytes(text);
  }
  // The hash of exactly these bytes, if no word was taken before: the definition of SipHash.
  void take_last(std::string_view text) {
    const std::uint64_t length = std::uint64_t{text.size() & 0xff} << 56;
    const std::size_t whole = text.size() / 8 * 8;
    take_bytes(text.substr(0, whole));
    take(length | word_of(text.substr(whole)));
  }

  std::uint64_t finish_64() {
    v2_ ^= 0xff;
    return finalize();
  }
  Hash128 finish() {
    v2_ ^= wide;
    const std::uint64_t low = finalize();
    v1_ ^= 0xdd;
    return {.low = low, .high = finalize()};
  }

 private:
  static constexpr std::uint64_t wide = 0xee;

  // The bytes as a little-endian word, as SipHash requires; missing bytes are zero.
  static std::uint64_t word_of(std::string_view bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
    }
    return word;
  }
  void take_bytes(std::string_view bytes) {
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data(), sizeof word);
      if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
      take(word);
    }
    if (!bytes.empty()) take(word_of(bytes));
  }
  std::uint64_t finalize() {
    for (int i = 0; i < 4; ++i) round();
    return v0_ ^ v1_ ^ v2_ ^ v3_;
  }
  void round() {
    v0_ += v1_, v2_ += v3_;
    v1_ = std::rotl(v1_, 13) ^ v0_, v3_ = std::rotl(v3_, 16) ^ v2_;
    v0_ = std::rotl(v0_, 32);
    v2_ += v1_, v0_ += v3_;
    v1_ = std::rotl(v1_, 17) ^ v2_, v3_ = std::rotl(v3_, 21) ^ v0_;
    v2_ = std::rotl(v2_, 32);
  }

  std::uint64_t v0_, v1_, v2_, v3_;
};

}  // namespace perfsift
