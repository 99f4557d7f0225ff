// SHA-256 (FIPS 180-4), for the manifests of packed recordings: sha256sum prints the same digits.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/byte_reader.h"

namespace perfsift {

// Not thread-safe.
class Sha256 {
 public:
  void add(Bytes bytes);
  // Ends the sum: 64 lowercase hexadecimal digits.
  std::string hex();

 private:
  void add_block(const std::byte* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> rest_{};  // the beginning of the next block
  std::uint64_t size_ = 0;            // of all bytes so far
};

// The sum of all of `bytes`.
std::string sha256(Bytes bytes);

}  // namespace perfsift
