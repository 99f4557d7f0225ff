// Walks over records, header by header.
//
// The address of each header depends on the size in the header before, which a processor cannot guess: the walk would
// wait for memory once per record. Prefetching all bytes about a kilobyte ahead makes the walk as
// fast as sequential reading.
#pragma once

#include <cstring>

#include "reader/format/record.h"

namespace perfsift::reader {

// The length of the record at the start of `bytes`, with the data of the record, as far as `bytes` shows it.
struct RecordExtent {
  enum class State : std::uint8_t { whole, partial, corrupt } state = State::partial;
  std::uint64_t record = 0;    // header and payload
  std::uint64_t trailing = 0;  // AUXTRACE, TRACING_DATA: data after the record
};

// Whether the type of a header is a known record type and its size is possible. After data that is jumped over the next
// header must be plausible, because the size of the data may be damaged.
bool is_plausible(const RecordHeader& header);

// The extent of the few types whose length is not only header.size: see has_special_extent(). Not for other types.
RecordExtent extent_of_special(const RecordHeader& header, Bytes bytes, ByteOrder order);

// Decodes a header of at least 8 bytes.
inline RecordHeader decode_record_header(const std::byte* at, ByteOrder order) {
  RecordHeader header;
  std::uint32_t type;
  std::memcpy(&type, at, 4);
  std::memcpy(&header.misc, at + 4, 2);
  std::memcpy(&header.size, at + 6, 2);
  if (order == ByteOrder::swapped) {
    type = byte_swap(type);
    header.misc = byte_swap(header.misc);
    header.size = byte_swap(header.size);
  }
  header.type = static_cast<RecordType>(type);
  return header;
}

// The record at `at`, which must be whole and have the length header.size.
inline Record record_at(const std::byte* at, ByteOrder order, std::uint64_t position) {
  Record record{.header = decode_record_header(at, order), .position = position, .order = order};
  record.payload = {at + record_header_size, record.header.size - record_header_size};
  return record;
}

inline bool has_special_extent(RecordType type) {
  return type == RecordType::auxtrace || type == RecordType::header_tracing_data || type == RecordType::compressed2;
}

inline RecordExtent extent_of(const RecordHeader& header, Bytes bytes, ByteOrder order) {
  if (has_special_extent(header.type)) return extent_of_special(header, bytes, order);
  if (header.size < record_header_size) return {RecordExtent::State::corrupt};
  return {bytes.size() < header.size ? RecordExtent::State::partial : RecordExtent::State::whole, header.size};
}

// Not thread-safe; cheap to copy. The records live as long as the bytes.
class RecordWalk {
 public:
  RecordWalk(Bytes bytes, ByteOrder order, std::uint64_t position)
      : at_(bytes.data()),
        walk_end_(bytes.data() + bytes.size()),
        end_(walk_end_),
        position_(position),
        order_(order) {}

  // False at the end of the bytes, and at bytes that are no whole record.
  bool next(Record& record) {
    const Bytes ahead(at_, walk_end_);
    if (ahead.size() < record_header_size) return false;
    for (int line = 16; line < 20; ++line) __builtin_prefetch(at_ + 64 * line);
    record.header = decode_record_header(at_, order_);
    const RecordExtent extent = extent_of(record.header, ahead, order_);
    if (extent.state != RecordExtent::State::whole) return false;

    record.payload = Bytes(at_ + record_header_size, at_ + extent.record);
    record.trailing = Bytes(at_ + extent.record, static_cast<std::size_t>(extent.trailing));
    record.position = position_;
    record.order = order_;
    at_ += extent.record + extent.trailing;
    position_ += extent.record + extent.trailing;
    if (extent.trailing != 0) judge_jump();
    return true;
  }

  Bytes rest() const { return {at_, end_}; }
  const std::byte* at() const { return at_; }
  std::uint64_t position() const { return position_; }

 private:
  void judge_jump() {
    if (rest().size() >= record_header_size && !is_plausible(decode_record_header(at_, order_))) walk_end_ = at_;
  }

  const std::byte* at_;
  const std::byte* walk_end_;  // the end, or the place where a jump led to no record
  const std::byte* end_;
  std::uint64_t position_;
  ByteOrder order_;
};

// The place where records continue after bytes that are no record.
struct NextRecord {
  std::size_t skip = 0;  // bytes in front of the next record; when none was found, all bytes that were searched
  bool found = false;
};

// A place is accepted as the start of a record when several plausible records follow each other from there, or
// plausible records reach the end of the recording. This many bytes from the place on decide.
inline constexpr std::size_t search_ahead = std::size_t{512} << 10;

// Searches for the next record, from `from` on. `ended`: nothing follows `bytes`. Otherwise only places with
// search_ahead bytes are judged, so that the answer does not depend on how the bytes were cut into pieces.
NextRecord find_next_record(Bytes bytes, std::size_t from, ByteOrder order, bool ended);

}  // namespace perfsift::reader
