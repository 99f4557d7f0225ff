// A gzip file whose pieces several threads compress.
//
// Each piece is a run of DEFLATE blocks that ends on a byte (Z_SYNC_FLUSH) and refers to nothing before it, so that
// pieces behind each other are one DEFLATE stream: RFC 1951, section 3.2. The file is one member, because the
// decompressors of browsers take only one. The header has no time and no name: the same content gives the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/files/ordered_pieces.h"
#include "output/files/output_file.h"
#include "output/gzip/deflater.h"

namespace perfsift::output {

// The facts about a piece that the end of the file needs.
struct GzipPiece {
  std::uint64_t size = 0;
  std::uint32_t crc = 0;
};

struct GzipPart {
  std::string_view bytes;
  GzipContent content = GzipContent::text;
};

// Thread-safe, except add_last() and finish().
class GzipPieces {
 public:
  using Sink = OrderedPieces::Sink;  // is called by one thread at a time

  explicit GzipPieces(Sink sink);
  explicit GzipPieces(OutputFile& out);

  // Compresses a piece on the calling thread. Numbers begin with 0. Blocks while too many pieces wait for an earlier
  // one.
  void add(std::size_t number, std::string_view bytes, GzipContent content = GzipContent::text);
  // Adds parts of any size, behind each other, as the last pieces, compressed by `threads` threads. `first`: the number
  // of their first piece.
  void add_last(std::size_t first, std::span<const GzipPart> parts, unsigned threads);
  // The CRC-32 of all pieces that were added, and of what is to follow them.
  std::uint32_t crc_with(std::string_view next) const;
  // Must be called after the last add(). Throws the exception of a failed write.
  void finish();

 private:
  std::unique_ptr<Deflater> deflater();

  const Sink sink_;
  OrderedPieces pieces_;
  std::mutex mutex_;
  std::vector<GzipPiece> known_;                  // by number
  std::vector<std::unique_ptr<Deflater>> spare_;  // not in use
};

// Writes a whole file of parts behind each other, compressed by `threads` threads. Their number does not change the
// bytes. Throws what `sink` throws.
void write_gzip(std::span<const GzipPart> parts, unsigned threads, GzipPieces::Sink sink);

}  // namespace perfsift::output
