// Assembles records that do not lie in a mapped file: records from a pipe, or from a decompressor.
//
// Bytes are added at the end, and whole records are taken from the front. The rest, the start of a record whose end is
// still to come, stays contiguous with the bytes that follow.
#pragma once

#include <cstddef>
#include <list>
#include <span>
#include <vector>

#include "base/byte_reader.h"
#include "reader/temporary_file.h"

namespace perfsift::reader {

class RecordBuffer {
 public:
  virtual ~RecordBuffer() = default;

  // Makes room for at least `size` bytes after the unread bytes.
  std::span<std::byte> room(std::size_t size) {
    if (storage_.size() - end_ < size) make_room(size);
    return storage_.subspan(end_);
  }
  void filled(std::size_t size) { end_ += size; }
  Bytes unread() const { return storage_.subspan(begin_, end_ - begin_); }
  void consume(std::size_t size) { begin_ += size; }

 protected:
  // Makes storage_ large enough, and moves the unread bytes along.
  virtual void make_room(std::size_t size) = 0;

  std::span<std::byte> storage_;
  std::size_t begin_ = 0, end_ = 0;
};

// Uses its memory again: consumed bytes are gone.
class TransientBuffer : public RecordBuffer {
  void make_room(std::size_t size) override;
  std::vector<std::byte> memory_;
};

// Never moves or reuses consumed bytes: views of them stay valid as long as the buffer.
class LastingBuffer : public RecordBuffer {
  void make_room(std::size_t size) override;
  std::size_t next_block_ = std::size_t{256} << 10;  // the size of the next block; blocks grow with the recording
  TemporaryFile file_;
  std::list<Mapped> blocks_;
};

}  // namespace perfsift::reader
