// Blocks of codes for bytes, unpacked by zlib, and compared with zlib's blocks.

#include "output/gzip/byte_codes.h"

#include <random>

#include <gtest/gtest.h>
#include <zlib.h>

namespace perfsift::output {
namespace {

std::string packed(std::string_view bytes) {
  Text text;
  text.append("before");
  ByteCodes(counts_of(bytes)).append(bytes, text);
  return std::string(text.view().substr(6));
}

// The bytes of a stream without a last block, which must end with the last byte.
std::string unpacked(std::string_view packed, std::size_t size) {
  z_stream stream{};
  if (inflateInit2(&stream, -15) != Z_OK) return "no memory";
  std::string bytes(size + 1, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  const int result = inflate(&stream, Z_SYNC_FLUSH);
  const bool on_a_byte = stream.avail_in == 0 && (stream.data_type & 7) == 0;
  bytes.resize(bytes.size() - stream.avail_out);
  inflateEnd(&stream);
  return result == Z_OK && on_a_byte ? bytes : "damaged";
}

std::size_t size_by_zlib(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, 1, Z_DEFLATED, -15, 9, Z_HUFFMAN_ONLY) != Z_OK) return 0;
  std::string packed(deflateBound(&stream, static_cast<uLong>(bytes.size())) + 16, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_SYNC_FLUSH);
  const std::size_t size = packed.size() - stream.avail_out;
  deflateEnd(&stream);
  return size;
}

// Bytes in no order, with byte i as often as counts[i].
std::string mixed(const std::vector<std::size_t>& counts) {
  std::string bytes;
  for (std::size_t i = 0; i < counts.size(); ++i) bytes.append(counts[i], static_cast<char>(i));
  std::shuffle(bytes.begin(), bytes.end(), std::mt19937(7));
  return bytes;
}

std::vector<std::size_t> fibonacci(std::size_t size) {
  std::vector<std::size_t> numbers{1, 1};
  while (numbers.size() < size) numbers.push_back(numbers.end()[-1] + numbers.end()[-2]);
  return numbers;
}

class ByteCodesOf : public ::testing::TestWithParam<std::vector<std::size_t>> {};

TEST_P(ByteCodesOf, ComeBackAndAreAsShortAsThoseOfZlib) {
  const std::string bytes = mixed(GetParam()), packed_bytes = packed(bytes);
  EXPECT_TRUE(unpacked(packed_bytes, bytes.size()) == bytes);
  // zlib describes codes in fewer bytes, and begins new blocks in long inputs.
  EXPECT_LE(packed_bytes.size(), size_by_zlib(bytes) * 101 / 100 + 160);
  EXPECT_LE(ByteCodes(counts_of(bytes)).size(), packed_bytes.size());
}

using Counts = std::vector<std::size_t>;
INSTANTIATE_TEST_SUITE_P(Bytes, ByteCodesOf,
                         ::testing::Values(Counts{}, Counts{1}, Counts{0, 1}, Counts{100'000}, Counts{0, 0, 70'000, 1},
                                           Counts(256, 1), Counts(256, 1000), Counts{1, 2, 3, 4, 5, 6, 7, 8, 9},
                                           // Huffman's codes for these counts have 15 and 25 bits, but only 15 bits are
                                           // allowed.
                                           fibonacci(15), fibonacci(26)));

}  // namespace
}  // namespace perfsift::output
