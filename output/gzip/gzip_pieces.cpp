#include "output/gzip/gzip_pieces.h"

#include <algorithm>
#include <utility>

#include <zlib.h>

#include "base/share_work.h"

namespace perfsift::output {
namespace {

// RFC 1952, section 2.3: DEFLATE, no flags, no time, compressed fast, on any system.
constexpr std::string_view header("\x1f\x8b\x08\0\0\0\0\0\x04\xff", 10);
// An empty last block with fixed codes.
constexpr std::string_view last_block("\x03\0", 2);

void append_little_endian(std::string& bytes, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(value >> shift & 0xff));
}

GzipPiece piece_of(std::string_view content) {
  return {
      .size = content.size(),
      .crc = static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()))};
}

// The size and the checksum of the joined pieces.
GzipPiece join(std::span<const GzipPiece> pieces) {
  GzipPiece all;
  for (const GzipPiece& piece : pieces) {
    all.crc = static_cast<std::uint32_t>(crc32_combine(all.crc, piece.crc, static_cast<z_off_t>(piece.size)));
    all.size += piece.size;
  }
  return all;
}

// The end of a file of these pieces.
std::string end_of(const std::vector<GzipPiece>& pieces) {
  const GzipPiece all = join(pieces);
  std::string end(last_block);
  append_little_endian(end, all.crc);
  append_little_endian(end, static_cast<std::uint32_t>(all.size));
  return end;
}

}  // namespace

GzipPieces::GzipPieces(Sink sink) : sink_(std::move(sink)), pieces_(sink_) { sink_(header); }

GzipPieces::GzipPieces(OutputFile& out) : GzipPieces([&out](std::string_view bytes) { out.write(bytes); }) {}

void GzipPieces::add(std::size_t number, std::string_view bytes, GzipContent content) {
  const GzipPiece piece = piece_of(bytes);
  {
    const std::lock_guard lock(mutex_);
    known_.resize(std::max(known_.size(), number + 1));
    known_[number] = piece;
  }
  Text compressed = pieces_.empty();
  std::unique_ptr<Deflater> mine = deflater();
  mine->append(bytes, content, compressed);
  {
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(mine));
  }
  pieces_.add(number, std::move(compressed));
}

void GzipPieces::add_last(std::size_t first, std::span<const GzipPart> parts, unsigned threads) {
  constexpr std::size_t piece_size = std::size_t{1} << 18;
  std::vector<GzipPart> cut;
  for (const auto& [bytes, content] : parts) {
    for (std::size_t at = 0; at < bytes.size(); at += piece_size)
      cut.push_back({.bytes = bytes.substr(at, piece_size), .content = content});
  }
  for_each_task(threads, cut.size(), [&](std::size_t i) { add(first + i, cut[i].bytes, cut[i].content); });
}

std::unique_ptr<Deflater> GzipPieces::deflater() {
  const std::lock_guard lock(mutex_);
  if (spare_.empty()) return std::make_unique<Deflater>();
  std::unique_ptr<Deflater> one = std::move(spare_.back());
  spare_.pop_back();
  return one;
}

std::uint32_t GzipPieces::crc_with(std::string_view next) const {
  const GzipPiece parts[] = {join(known_), piece_of(next)};
  return join(parts).crc;
}

void GzipPieces::finish() {
  pieces_.finish();
  sink_(end_of(known_));
}

void write_gzip(std::span<const GzipPart> parts, unsigned threads, GzipPieces::Sink sink) {
  GzipPieces pieces(std::move(sink));
  pieces.add_last(0, parts, threads);
  pieces.finish();
}

}  // namespace perfsift::output
