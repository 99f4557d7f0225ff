#include "output/gzip/gzip_pieces.h"

#include <algorithm>
#include <array>
#include <new>

#include <zlib.h>

#include "base/owned.h"
#include "base/share_work.h"

namespace perfsift::output {
namespace {

// RFC 1952, section 2.3: DEFLATE, no flags, no time, compressed fast, on any system.
constexpr std::string_view header("\x1f\x8b\x08\0\0\0\0\0\x04\xff", 10);
// An empty last block with fixed codes.
constexpr std::string_view last_block("\x03\0", 2);
constexpr int fastest = 1, raw_deflate = -15, memory_level = 9;

void check(int result) {
  if (result != Z_OK) throw std::bad_alloc();  // zlib has no other error here
}

// A piece compressed at once.
void deflate_piece(std::string_view content, Text& compressed) {
  z_stream stream{};
  check(deflateInit2(&stream, fastest, Z_DEFLATED, raw_deflate, memory_level, Z_DEFAULT_STRATEGY));
  const Owned<z_stream, deflateEnd> closed(&stream);
  constexpr std::size_t most_at_once = std::size_t{1} << 30;
  while (!content.empty()) {
    const std::size_t taken = std::min(content.size(), most_at_once);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(taken);
    content.remove_prefix(taken);
    // More than deflateBound() is asked for: the flush adds an empty block.
    const std::size_t room = deflateBound(&stream, static_cast<uLong>(taken)) + 16;
    compressed.reserve(room);
    stream.next_out = reinterpret_cast<Bytef*>(compressed.begin() + compressed.size());
    stream.avail_out = static_cast<uInt>(room);
    check(deflate(&stream, Z_SYNC_FLUSH));
    compressed.resize(compressed.size() + room - stream.avail_out);
  }
}

void append_little_endian(std::string& bytes, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(value >> shift & 0xff));
}

GzipPiece piece_of(std::string_view content) {
  return {
      .size = content.size(),
      .crc = static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()))};
}

// The end of a file of these pieces.
std::string end_of(const std::vector<GzipPiece>& pieces) {
  uLong crc = 0;
  std::uint64_t size = 0;
  for (const GzipPiece& piece : pieces) {
    crc = crc32_combine(crc, piece.crc, static_cast<z_off_t>(piece.size));
    size += piece.size;
  }
  std::string end(last_block);
  append_little_endian(end, static_cast<std::uint32_t>(crc));
  append_little_endian(end, static_cast<std::uint32_t>(size));
  return end;
}

}  // namespace

GzipPieces::GzipPieces(OutputFile& out) : out_(out), pieces_(out) { out_.write(header); }

void GzipPieces::add(std::size_t number, std::string_view content) {
  const GzipPiece piece = piece_of(content);
  {
    const std::lock_guard lock(mutex_);
    known_.resize(std::max(known_.size(), number + 1));
    known_[number] = piece;
  }
  Text compressed = pieces_.empty();
  deflate_piece(content, compressed);
  pieces_.add(number, std::move(compressed));
}

void GzipPieces::finish() {
  pieces_.finish();
  out_.write(end_of(known_));
}

std::string gzip(std::string_view content, unsigned threads) {
  constexpr std::size_t piece_size = std::size_t{1} << 18;
  const std::size_t count = (content.size() + piece_size - 1) / piece_size;
  std::vector<GzipPiece> known(count);
  std::vector<Text> compressed(count);
  for_each_task(threads, count, [&](std::size_t i) {
    const std::string_view piece = content.substr(i * piece_size, piece_size);
    known[i] = piece_of(piece);
    deflate_piece(piece, compressed[i]);
  });
  std::string file(header);
  for (const Text& piece : compressed) file += piece.view();
  return file += end_of(known);
}

}  // namespace perfsift::output
