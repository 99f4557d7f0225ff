// The unread bytes of a ring: memory in at most two pieces, and a walk over the records in it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "base/byte_reader.h"
#include "reader/record_walk.h"

namespace perfsift::record {

// The second piece begins where the ring wraps: a record may be split between both. Lives as long as the ring, and
// until the bytes are given back.
struct Pieces {
  Bytes first, second;

  std::size_t size() const { return first.size() + second.size(); }
  // The bytes from `offset` on, in front of `offset + size`, in at most two pieces. Both must lie inside.
  Pieces part(std::size_t offset, std::size_t size) const {
    if (offset >= first.size()) return {second.subspan(offset - first.size(), size), {}};
    const std::size_t in_first = std::min(size, first.size() - offset);
    return {first.subspan(offset, in_first), second.first(size - in_first)};
  }
  // `out` must have room for size() bytes.
  void copy_to(std::byte* out) const {
    if (!first.empty()) std::memcpy(out, first.data(), first.size());
    if (!second.empty()) std::memcpy(out + first.size(), second.data(), second.size());
  }
};

// `size` bytes of a ring from a position on, which only grows and is taken modulo the size of the ring, a power of two.
// `size` must not be larger than the ring.
inline Pieces pieces_at(Bytes ring, std::uint64_t position, std::size_t size) {
  const auto begin = static_cast<std::size_t>(position & (ring.size() - 1));
  const std::size_t in_first = std::min(size, ring.size() - begin);
  return {ring.subspan(begin, in_first), ring.first(size - in_first)};
}

// The header of the record at `offset`. Nothing: the record does not end inside of the pieces, or its size is smaller
// than a header. The kernel writes only records with a size that is a multiple of 8.
inline std::optional<reader::RecordHeader> whole_record_at(const Pieces& pieces, std::size_t offset) {
  const std::size_t left = pieces.size() - offset;
  if (left < reader::record_header_size) return std::nullopt;
  std::array<std::byte, reader::record_header_size> bytes;
  if (offset + bytes.size() <= pieces.first.size()) {
    std::memcpy(bytes.data(), pieces.first.data() + offset, bytes.size());  // of a known size: one load
  } else {
    pieces.part(offset, bytes.size()).copy_to(bytes.data());
  }
  const reader::RecordHeader header = reader::decode_record_header(bytes.data(), ByteOrder::native);
  const bool whole = header.size >= reader::record_header_size && header.size <= left;
  return whole ? std::optional(header) : std::nullopt;
}

// The record that `bytes` begin with, which must be whole.
inline reader::Record record_in(Bytes bytes) { return reader::record_at(bytes.data(), ByteOrder::native, 0); }

// Calls visit(header, offset) for each whole record and returns the number of bytes that they take. The walk ends at
// the first record that is not whole.
template <typename Visit>
std::size_t walk_records(const Pieces& pieces, Visit&& visit) {
  std::size_t offset = 0;
  while (const auto header = whole_record_at(pieces, offset)) {
    visit(*header, offset);
    offset += header->size;
  }
  return offset;
}

}  // namespace perfsift::record
