// Where records are put together that do not lie in a mapped file: from a pipe, or out of a decompressor.
//
// Bytes are filled in at the end; whole records are taken from the front; what is left, the start of a record whose
// end is still to come, stays contiguous with what follows.
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

  // At least `size` writable bytes after what is unread.
  std::span<std::byte> room(std::size_t size) {
    if (storage_.size() - end_ < size) make_room(size);
    return storage_.subspan(end_);
  }
  void filled(std::size_t size) { end_ += size; }
  Bytes unread() const { return storage_.subspan(begin_, end_ - begin_); }
  void consume(std::size_t size) { begin_ += size; }

 protected:
  // Makes storage_ large enough, with the unread bytes moved along.
  virtual void make_room(std::size_t size) = 0;

  std::span<std::byte> storage_;
  std::size_t begin_ = 0, end_ = 0;
};

// Reuses its memory: what was consumed is gone.
class TransientBuffer : public RecordBuffer {
  void make_room(std::size_t size) override;
  std::vector<std::byte> memory_;
};

// Never moves or reuses what was consumed: views of it stay valid as long as the buffer.
class LastingBuffer : public RecordBuffer {
  void make_room(std::size_t size) override;
  std::size_t next_block_ = std::size_t{256} << 10;  // its size; blocks grow with the recording
  TemporaryFile file_;
  std::list<Mapped> blocks_;
};

}  // namespace perfsift::reader
