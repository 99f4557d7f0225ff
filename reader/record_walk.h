// Walking over records, header by header.
//
// The address of each header depends on the size in the one before, which a processor cannot guess: the walk waits
// for memory once per record. Asking for what lies about a kilobyte ahead, whatever it turns out to be, makes it as
// fast as reading everything in order.
#pragma once

#include <cstring>

#include "reader/record.h"

namespace perfsift::reader {

// How long the record at the start of `bytes` is with everything that belongs to it, as far as `bytes` tells.
struct RecordExtent {
  enum class State : std::uint8_t { whole, partial, corrupt } state = State::partial;
  std::uint64_t record = 0;    // header and payload
  std::uint64_t trailing = 0;  // AUXTRACE, TRACING_DATA: data after the record
};

// For the few types whose length is not (only) header.size. Not for others.
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

inline bool has_special_extent(RecordType type) {
  return type == RecordType::auxtrace || type == RecordType::header_tracing_data || type == RecordType::compressed2;
}

inline RecordExtent extent_of(const RecordHeader& header, Bytes bytes, ByteOrder order) {
  if (has_special_extent(header.type)) return extent_of_special(header, bytes, order);
  if (header.size < record_header_size) return {RecordExtent::State::corrupt};
  return {bytes.size() < header.size ? RecordExtent::State::partial : RecordExtent::State::whole, header.size};
}

// Not thread-safe; cheap to copy. The records it yields live as long as the bytes.
class RecordWalk {
 public:
  RecordWalk(Bytes bytes, ByteOrder order, std::uint64_t position)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()), position_(position), order_(order) {}

  // False at the end of the bytes and at whatever cannot be a whole record: rest() then tells which.
  bool next(Record& record) {
    if (rest().size() < record_header_size) return false;
    for (int line = 16; line < 20; ++line) __builtin_prefetch(at_ + 64 * line);
    record.header = decode_record_header(at_, order_);
    const RecordExtent extent = extent_of(record.header, rest(), order_);
    if (extent.state != RecordExtent::State::whole)
      return corrupt_ = extent.state == RecordExtent::State::corrupt, false;

    record.payload = Bytes(at_ + record_header_size, at_ + extent.record);
    record.trailing = Bytes(at_ + extent.record, static_cast<std::size_t>(extent.trailing));
    record.position = position_;
    record.order = order_;
    at_ += extent.record + extent.trailing;
    position_ += extent.record + extent.trailing;
    return true;
  }

  Bytes rest() const { return {at_, end_}; }
  const std::byte* at() const { return at_; }
  std::uint64_t position() const { return position_; }
  // After next() was false with bytes left: no record can start here, more bytes would not help.
  bool corrupt() const { return corrupt_; }

 private:
  const std::byte* at_;
  const std::byte* end_;
  std::uint64_t position_;
  ByteOrder order_;
  bool corrupt_ = false;
};

// Finds the next place after the start of `bytes` where records seem to begin again: several plausible ones in a row,
// or plausible ones up to the end. Returns the number of bytes to skip; all of them when there is none.
std::size_t find_next_record(Bytes bytes, ByteOrder order);

}  // namespace perfsift::reader
