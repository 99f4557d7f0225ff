// Collects records for few large writes, however small the records are.
#pragma once

#include <cstdint>
#include <vector>

#include "reader/writer/byte_sink.h"

namespace perfsift::reader {

// Takes bytes in sequence. Pieces that are adjacent in memory, as neighbouring records of a mapped file are, become one
// write; small pieces are collected first. The bytes must stay until the next flush().
//
// Not thread-safe.
class RecordOutput {
 public:
  explicit RecordOutput(ByteSink& sink) : sink_(sink) {}

  void write(Bytes bytes) {
    size_ += bytes.size();
    if (piece_.data() + piece_.size() == bytes.data() && !piece_.empty()) {
      piece_ = {piece_.data(), piece_.size() + bytes.size()};
      return;
    }
    take_piece();
    piece_ = bytes;
  }
  void flush();
  // Writes bytes that need not stay after the call.
  void write_copy(Bytes bytes) {
    write(bytes);
    take_piece();
  }

  // The number of bytes written.
  std::uint64_t size() const { return size_; }

 private:
  void take_piece();
  void write_collected();

  ByteSink& sink_;
  Bytes piece_;
  std::vector<std::byte> collected_;
  std::uint64_t size_ = 0;
};

}  // namespace perfsift::reader
