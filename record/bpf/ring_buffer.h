// The memory of a BPF_MAP_TYPE_RINGBUF: kernel/bpf/ringbuf.c.
//
//      page 0             page 1             pages of data, and the same pages again
//      ┌──────────────────┬──────────────────┬──────────────────────────────┬─────────────
//      │ consumer_pos     │ producer_pos     │ header payload header payload│ header …
//      └──────────────────┴──────────────────┴──────────────────────────────┴─────────────
//      readers write       only the kernel writes
//
// Positions only grow; a position modulo the size of the data is a place in the data. A record begins with a word: its
// length, bit 31 (the program still writes) and bit 30 (the program has discarded it). The payload follows behind 8
// bytes; records are multiples of 8. The data are mapped twice in a row, so that no record is cut where the ring wraps.
//
// The kernel counts nothing that did not fit: only the program knows (bpf_ringbuf_reserve() and bpf_ringbuf_output()
// fail).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "base/byte_reader.h"
#include "reader/temporary_file.h"

namespace perfsift::record {

// Not thread-safe.
class RingBuffer {
 public:
  enum class Access : std::uint8_t {
    consume,  // gives room back
    peek,     // reads beside another reader, who gives room back; records may be overwritten before they are read
  };

  // `bytes`: the size of the data. Nothing: mmap() failed, and errno says why.
  static std::optional<RingBuffer> map(int file, std::size_t bytes, Access access);
  // Memory of somebody else that looks like the kernel's. It must outlive the object.
  static RingBuffer over(std::span<std::byte> memory, Access access);

  // The next record that is complete. Nothing: all are read, or the program still writes the next one. The bytes are
  // valid until release(); if peeking, they are valid only if release() says so.
  std::optional<Bytes> next();
  // Ends the reading of the record that next() gave. False: it was overwritten meanwhile, so the bytes are worth
  // nothing.
  bool release();

  // Bytes that the other reader gave back, and that were overwritten, before they were peeked at.
  std::uint64_t overtaken() const { return overtaken_; }
  // Bytes behind a record whose length is impossible.
  std::uint64_t damaged() const { return damaged_; }
  std::size_t capacity() const { return capacity_; }

 private:
  RingBuffer(std::byte* consumer, const std::byte* producer, std::size_t capacity, Access access);
  bool is_overwritten() const;
  void skip_to_reader();

  reader::Mapped mapped_consumer_, mapped_producer_;  // empty: memory of somebody else
  std::byte* consumer_ = nullptr;
  const std::byte* producer_ = nullptr;  // the data follow behind a page
  std::size_t capacity_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t step_ = 0;  // of the record that next() gave
  std::uint64_t overtaken_ = 0, damaged_ = 0;
  Access access_ = Access::consume;
};

}  // namespace perfsift::record
