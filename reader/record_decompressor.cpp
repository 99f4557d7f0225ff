#include "reader/record_decompressor.h"

#include <algorithm>
#include <limits>

#include "reader/record_walk.h"

namespace perfsift::reader {
namespace {

constexpr std::size_t most_of_record = std::numeric_limits<decltype(RecordHeader::size)>::max();

// The compressed bytes of a record. A COMPRESSED2 record whose size has wrapped contains several pieces: the first one
// is full (perf record's max_record_size), each further piece has a header of its own with the right size.
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
    data.skip(8);  // perf does not fill in the data_size of a further piece
    const std::size_t size = header.size > fixed ? header.size - fixed : 0;
    if (header.type != RecordType::compressed2 || size == 0) break;
    pieces.push_back(data.bytes(std::min(size, data.remaining())));
  }
  return pieces;
}

}  // namespace

std::size_t RecordDecompressor::most_unread() { return search_ahead + most_of_record + ZSTD_DStreamOutSize(); }

void RecordDecompressor::begin(const Record& record, std::uint64_t offset, const ExpansionLimits& limits) {
  pieces_ = pieces_of(record);
  std::ranges::reverse(pieces_);
  piece_at_ = 0;
  output_is_full_ = false;
  offset_ = offset;
  expanded_from_record_ = 0;
  limits_ = limits;
  if (lost_.bytes != 0) give_up(lost_.reason, lost_.limit);
}

bool RecordDecompressor::next(Record& record) {
  while (!records_.next(record)) {
    if (!expand_some()) return false;
  }
  return true;
}

// False when all of the record was expanded.
bool RecordDecompressor::expand_some() {
  while (!output_is_full_ && !pieces_.empty() && piece_at_ == pieces_.back().size()) {
    pieces_.pop_back();
    piece_at_ = 0;
  }
  if (pieces_.empty()) return false;

  const Bytes piece = pieces_.back();
  const auto room = records_.buffer().room(ZSTD_DStreamOutSize());
  ZSTD_inBuffer from{piece.data(), piece.size(), piece_at_};
  ZSTD_outBuffer to{room.data(), std::min(room.size(), ZSTD_DStreamOutSize()), 0};
  const std::size_t status = ZSTD_decompressStream(stream_.get(), &to, &from);
  records_.buffer().filled(to.pos);
  piece_at_ = from.pos;
  output_is_full_ = to.pos == to.size;
  expanded_from_record_ += to.pos;
  expanded_ += to.pos;
  if (ZSTD_isError(status) != 0) {
    give_up(Lost::Reason::damaged, 0);
  } else if (expanded_from_record_ > limits_.record) {
    give_up(Lost::Reason::record_too_large, limits_.record);
  } else if (expanded_ > limits_.total) {
    give_up(Lost::Reason::total_too_large, limits_.total);
  }
  return true;
}

void RecordDecompressor::give_up(Lost::Reason reason, std::uint64_t limit) {
  if (lost_.bytes == 0) lost_ = {.reason = reason, .offset = offset_, .limit = limit};
  for (const Bytes piece : pieces_) lost_.bytes += piece.size();
  pieces_.clear();
  output_is_full_ = false;
}

}  // namespace perfsift::reader
