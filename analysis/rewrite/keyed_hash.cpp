#include "analysis/rewrite/keyed_hash.h"

#include <bit>
#include <string>

#include "analysis/input/whole_file.h"
#include "base/error.h"

namespace perfsift::analysis {
namespace {

class SipState {
 public:
  explicit SipState(const HashKey& key)
      : v0_(key[0] ^ 0x736f6d6570736575),
        v1_(key[1] ^ 0x646f72616e646f6d),
        v2_(key[0] ^ 0x6c7967656e657261),
        v3_(key[1] ^ 0x7465646279746573) {}

  void take(std::uint64_t word) {
    v3_ ^= word;
    round();
    round();
    v0_ ^= word;
  }
  std::uint64_t finish() {
    v2_ ^= 0xff;
    for (int i = 0; i < 4; ++i) round();
    return v0_ ^ v1_ ^ v2_ ^ v3_;
  }

 private:
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

// The bytes as a little-endian word, as SipHash requires; missing bytes are zero.
std::uint64_t word_of(std::string_view bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
  }
  return word;
}

}  // namespace

std::uint64_t keyed_hash(const HashKey& key, std::string_view text) {
  SipState state(key);
  const std::uint64_t length = std::uint64_t{text.size() & 0xff} << 56;
  for (; text.size() >= 8; text.remove_prefix(8)) state.take(word_of(text.substr(0, 8)));
  state.take(length | word_of(text));
  return state.finish();
}

HashKey key_in_file(const std::string& path) {
  constexpr std::size_t least = 16;
  const std::string content = whole_file(path);
  if (content.size() < least) throw InputError(path + ": shorter than 16 bytes, too short for a key");
  return {keyed_hash({0, 0}, content), keyed_hash({0, 1}, content)};
}

}  // namespace perfsift::analysis
