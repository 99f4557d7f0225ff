#include "output/gzip/deflater.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <new>

namespace perfsift::output {
namespace {

constexpr int fastest = 1, raw_deflate = -15, memory_level = 9;

struct Method {
  int level = fastest;
  int strategy = Z_DEFAULT_STRATEGY;
};

void check(int result) {
  if (result != Z_OK) throw std::bad_alloc();  // zlib has no other error here
}

// The least size to which codes for single bytes can bring the bytes.
double size_of_codes(std::string_view bytes) {
  std::array<std::array<std::uint32_t, 256>, 4> counts{};  // four, so that no count waits for the one before
  for (std::size_t i = 0; i < bytes.size(); ++i) ++counts[i % 4][static_cast<unsigned char>(bytes[i])];
  double bits = 0;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const double count = counts[0][byte] + counts[1][byte] + counts[2][byte] + counts[3][byte];
    if (count != 0) bits += count * std::log2(static_cast<double>(bytes.size()) / count);
  }
  return bits / 8;
}

// Of a million samples, the lowest bytes of times and leaves are noise that no method makes much smaller, and to try
// takes most of the time. For the other bytes, runs and codes are as good as matches, in half the time.
Method method_of(std::string_view piece, GzipContent content) {
  constexpr double hardly_smaller = 0.9;
  if (content == GzipContent::text) return {};
  if (size_of_codes(piece) > hardly_smaller * static_cast<double>(piece.size())) return {.level = Z_NO_COMPRESSION};
  return {.strategy = Z_RLE};
}

}  // namespace

Deflater::Deflater() {
  check(deflateInit2(&stream_, fastest, Z_DEFLATED, raw_deflate, memory_level, Z_DEFAULT_STRATEGY));
}

Deflater::~Deflater() { deflateEnd(&stream_); }

void Deflater::append(std::string_view piece, GzipContent content, Text& compressed) {
  check(deflateReset(&stream_));
  const Method method = method_of(piece, content);
  check(deflateParams(&stream_, method.level, method.strategy));
  constexpr std::size_t most_at_once = std::size_t{1} << 30;
  while (!piece.empty()) {
    const std::size_t taken = std::min(piece.size(), most_at_once);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    stream_.avail_in = static_cast<uInt>(taken);
    piece.remove_prefix(taken);
    // More than deflateBound() is asked for: the flush adds an empty block.
    const std::size_t room = deflateBound(&stream_, static_cast<uLong>(taken)) + 16;
    compressed.reserve(room);
    stream_.next_out = reinterpret_cast<Bytef*>(compressed.begin() + compressed.size());
    stream_.avail_out = static_cast<uInt>(room);
    check(deflate(&stream_, Z_SYNC_FLUSH));
    compressed.resize(compressed.size() + room - stream_.avail_out);
  }
}

}  // namespace perfsift::output
