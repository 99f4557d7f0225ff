#include "reader/record_decompressor.h"

#include <algorithm>
#include <vector>

#include "reader/record_walk.h"

namespace perfsift::reader {
namespace {

// The compressed bytes of a record. A COMPRESSED2 record whose size has wrapped holds several: the first is full
// (perf record's max_record_size), each further one has a header of its own whose size is right.
std::vector<Bytes> pieces_of(const Record& record) {
  if (record.header.type == RecordType::compressed) return {record.payload};

  constexpr std::size_t fixed = record_header_size + 8;
  constexpr std::size_t full_piece = 65536 - fixed - 1;
  ByteReader in = record.reader();
  const std::uint64_t data_size = in.u64();
  ByteReader data(in.bytes(std::min<std::uint64_t>(data_size, in.remaining())), record.order);
  std::vector<Bytes> pieces;
  pieces.push_back(data.bytes(std::min(full_piece, data.remaining())));
  while (data.remaining() > fixed) {
    const RecordHeader header = decode_record_header(data.bytes(record_header_size).data(), record.order);
    data.skip(8);  // data_size of a further piece was never filled in
    const std::size_t size = header.size > fixed ? header.size - fixed : 0;
    if (header.type != RecordType::compressed2 || size == 0) break;
    pieces.push_back(data.bytes(std::min(size, data.remaining())));
  }
  return pieces;
}

}  // namespace

void RecordDecompressor::expand(const Record& record, std::uint64_t offset, std::uint64_t limit) {
  for (const Bytes piece : pieces_of(record)) {
    if (lost_.bytes == 0 && expand_piece(piece, limit)) continue;
    if (lost_.bytes == 0) lost_.offset = offset;
    lost_.bytes += piece.size();
  }
}

bool RecordDecompressor::expand_piece(Bytes piece, std::uint64_t limit) {
  ZSTD_inBuffer from{piece.data(), piece.size(), 0};
  std::uint64_t expanded = 0;
  while (true) {
    const auto room = records_.buffer().room(ZSTD_DStreamOutSize());
    ZSTD_outBuffer to{room.data(), room.size(), 0};
    const std::size_t status = ZSTD_decompressStream(stream_.get(), &to, &from);
    records_.buffer().filled(to.pos);
    expanded += to.pos;
    if (ZSTD_isError(status) != 0 || expanded > limit) return false;
    // Output may still be waiting inside the stream when it filled all the room.
    if (from.pos == from.size && to.pos < to.size) return true;
  }
}

}  // namespace perfsift::reader
