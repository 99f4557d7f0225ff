#include "base/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>
#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace perfsift {

namespace {

constexpr std::size_t block_size = 64;
constexpr std::size_t rounds = 64;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, rounds> constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t big_endian_word(const std::byte* at) {
  std::uint32_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return std::endian::native == std::endian::little ? __builtin_bswap32(word) : word;
}

// The message schedule: the 16 words of the block, and 48 that follow from them.
std::array<std::uint32_t, rounds> schedule_of(const std::byte* block) {
  std::array<std::uint32_t, rounds> words;
  for (std::size_t i = 0; i < 16; ++i) words[i] = big_endian_word(block + 4 * i);
  for (std::size_t i = 16; i < rounds; ++i) {
    const std::uint32_t before = words[i - 15], last = words[i - 2];
    const std::uint32_t low = std::rotr(before, 7) ^ std::rotr(before, 18) ^ (before >> 3);
    const std::uint32_t high = std::rotr(last, 17) ^ std::rotr(last, 19) ^ (last >> 10);
    words[i] = words[i - 16] + low + words[i - 7] + high;
  }
  return words;
}

void add_block(Sha256State& state, const std::byte* block) {
  const auto words = schedule_of(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < rounds; ++i) {
    const std::uint32_t sum_e = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t sum_a = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t first = h + sum_e + ((e & f) ^ (~e & g)) + constants[i] + words[i];
    const std::uint32_t second = sum_a + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first;
    d = c, c = b, b = a, a = first + second;
  }
  const Sha256State after = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < after.size(); ++i) state[i] += after[i];
}

#ifdef __x86_64__

bool has_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  const bool has_sse = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_SSSE3) != 0 && (c & bit_SSE4_1) != 0;
  return has_sse && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0;
}

// Four of the eight words of two vectors, by their numbers. GCC refuses the intrinsics with numbers in some builds
// without optimization.
template <int first, int second, int third, int fourth>
__m128i chosen(__m128i low, __m128i high) {
  using Words = int __attribute__((vector_size(16)));
  return (__m128i)__builtin_shufflevector((Words)low, (Words)high, first, second, third, fourth);
}

template <int first, int second, int third, int fourth>
__m128i chosen(__m128i words) {
  return chosen<first, second, third, fourth>(words, words);
}

// The instructions keep the state as the words ABEF and CDGH, and do two rounds each (Intel SDM, SHA256RNDS2).
__attribute__((target("sha,sse4.1"))) void add_by_instructions(Sha256State& state, const std::byte* blocks,
                                                               std::size_t count) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  auto* const words = reinterpret_cast<__m128i*>(state.data());
  const __m128i badc = chosen<1, 0, 3, 2>(_mm_loadu_si128(words));
  const __m128i efgh = chosen<3, 2, 1, 0>(_mm_loadu_si128(words + 1));
  __m128i abef = chosen<2, 3, 4, 5>(efgh, badc), cdgh = chosen<0, 1, 6, 7>(efgh, badc);
  for (; count != 0; --count, blocks += block_size) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i last[4];  // four words of the schedule each; the newest at i % 4
    for (std::size_t i = 0; i < rounds / 4; ++i) {
      __m128i& next = last[i % 4];
      if (i < 4) {
        next = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(blocks) + i), big_endian);
      } else {
        const __m128i newest = last[(i + 3) % 4];
        const __m128i seventh = chosen<1, 2, 3, 4>(last[(i + 2) % 4], newest);
        next = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(next, last[(i + 1) % 4]), seventh), newest);
      }
      const __m128i sums = _mm_add_epi32(next, _mm_loadu_si128(reinterpret_cast<const __m128i*>(constants.data()) + i));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sums);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, chosen<2, 3, 0, 0>(sums));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = chosen<3, 2, 1, 0>(abef), dchg = chosen<1, 0, 3, 2>(cdgh);
  _mm_storeu_si128(words, chosen<0, 1, 6, 7>(feba, dchg));
  _mm_storeu_si128(words + 1, chosen<2, 3, 4, 5>(feba, dchg));
}

#endif

}  // namespace

void add_sha256_blocks(Sha256State& state, const std::byte* blocks, std::size_t count) {
  for (; count != 0; --count, blocks += block_size) add_block(state, blocks);
}

AddSha256Blocks fastest_sha256() {
#ifdef __x86_64__
  static const bool by_instructions = has_instructions();
  if (by_instructions) return add_by_instructions;
#endif
  return add_sha256_blocks;
}

void Sha256::add(Bytes bytes) {
  const std::size_t waiting = size_ % block_size;
  size_ += bytes.size();
  if (waiting != 0) {
    const std::size_t taken = std::min(bytes.size(), block_size - waiting);
    std::copy_n(bytes.begin(), taken, rest_.begin() + static_cast<std::ptrdiff_t>(waiting));
    bytes = bytes.subspan(taken);
    if (waiting + taken < block_size) return;
    add_blocks_(state_, rest_.data(), 1);
  }
  const std::size_t blocks = bytes.size() / block_size;
  add_blocks_(state_, bytes.data(), blocks);
  std::ranges::copy(bytes.subspan(blocks * block_size), rest_.begin());
}

// A one bit, zeros, and the size in bits fill the last block.
std::string Sha256::hex() {
  const std::uint64_t bits = size_ * 8;
  const std::array<std::byte, 1> one = {std::byte{0x80}};
  const std::array<std::byte, 1> zero = {std::byte{0}};
  add(one);
  while (size_ % block_size != block_size - 8) add(zero);
  std::array<std::byte, 8> size;
  for (std::size_t i = 0; i < size.size(); ++i) size[i] = static_cast<std::byte>(bits >> (56 - 8 * i));
  add(size);
  std::string digits;
  for (const std::uint32_t word : state_) digits += fmt::format("{:08x}", word);
  return digits;
}

std::string sha256(Bytes bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.hex();
}

}  // namespace perfsift
