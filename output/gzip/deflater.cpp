#include "output/gzip/deflater.h"

#include <algorithm>
#include <cstddef>
#include <new>

#include "output/gzip/byte_codes.h"

namespace perfsift::output {
namespace {

constexpr int fastest = 1, raw_deflate = -15, memory_level = 9;

void check(int result) {
  if (result != Z_OK) throw std::bad_alloc();  // zlib has no other error here
}

// Blocks of bytes as they are: RFC 1951, section 3.2.4.
void store(std::string_view piece, Text& to) {
  constexpr std::size_t most_of_block = 0xffff;
  while (!piece.empty()) {
    const std::string_view bytes = piece.substr(0, most_of_block);
    piece.remove_prefix(bytes.size());
    const std::size_t size = bytes.size(), inverted = ~size;
    const char header[] = {0, static_cast<char>(size), static_cast<char>(size >> 8), static_cast<char>(inverted),
                           static_cast<char>(inverted >> 8)};
    to.append({header, sizeof(header)});
    to.append(bytes);
  }
}

}  // namespace

Deflater::Deflater() {
  check(deflateInit2(&stream_, fastest, Z_DEFLATED, raw_deflate, memory_level, Z_DEFAULT_STRATEGY));
}

Deflater::~Deflater() { deflateEnd(&stream_); }

void Deflater::append(std::string_view piece, GzipContent content, Text& compressed) {
  if (content == GzipContent::text) return deflate(piece, Z_DEFAULT_STRATEGY, compressed);
  // The lowest bytes of the times and leaves of a million samples are noise that no method makes much smaller, and
  // trying takes most of the time. For the other bytes, codes are as good as matches; for very few different ones, runs
  // are better.
  constexpr double hardly_smaller = 0.9, mostly_equal = 0.2;
  const ByteCodes codes(counts_of(piece));
  const double share = static_cast<double>(codes.size()) / static_cast<double>(piece.size());
  if (share > hardly_smaller) return store(piece, compressed);
  if (share < mostly_equal) return deflate(piece, Z_RLE, compressed);
  codes.append(piece, compressed);
}

void Deflater::deflate(std::string_view piece, int strategy, Text& compressed) {
  check(deflateReset(&stream_));
  check(deflateParams(&stream_, fastest, strategy));
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
    check(::deflate(&stream_, Z_SYNC_FLUSH));
    compressed.resize(compressed.size() + room - stream_.avail_out);
  }
}

}  // namespace perfsift::output
