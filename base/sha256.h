// SHA-256 (FIPS 180-4), for the manifests of packed recordings: sha256sum prints the same digits.
//
// With the instructions that newer x86 processors have for it, a gigabyte takes half a second, otherwise four.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/byte_reader.h"

namespace perfsift {

// Adds whole blocks of 64 bytes to a sum.
using Sha256State = std::array<std::uint32_t, 8>;
using AddSha256Blocks = void (*)(Sha256State& state, const std::byte* blocks, std::size_t count);
void add_sha256_blocks(Sha256State& state, const std::byte* blocks, std::size_t count);
// The fastest function that this processor has: the one above, or another with the same results.
AddSha256Blocks fastest_sha256();

// Not thread-safe.
class Sha256 {
 public:
  void add(Bytes bytes);
  // Ends the sum: 64 lowercase hexadecimal digits.
  std::string hex();

 private:
  const AddSha256Blocks add_blocks_ = fastest_sha256();
  Sha256State state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> rest_{};  // the beginning of the next block
  std::uint64_t size_ = 0;            // of all bytes so far
};

// The sum of all of `bytes`.
std::string sha256(Bytes bytes);

}  // namespace perfsift
