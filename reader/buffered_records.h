// Records from a buffer that is filled piece by piece: from a pipe, or by a decompressor.
//
// Damaged bytes are left out in the same places, however the input is cut into pieces, and whether the recording comes
// from a pipe or lies in a file. There is one exception: from a pipe the data behind an AUXTRACE record is passed over
// as it comes, so a wrong size of the data costs all bytes that the size covers. In a file, a size that goes beyond the
// end of the file is seen to be wrong.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "reader/record_buffer.h"
#include "reader/record_walk.h"

namespace perfsift::reader {

// Bytes between records that are no record.
struct Skipped {
  std::uint64_t offset = 0;  // counted from the first byte of the input
  std::uint64_t bytes = 0;
  bool to_the_end = false;  // no record follows
};

// Not thread-safe.
class BufferedRecords {
 public:
  enum class Content : std::uint8_t {
    recording,  // everything; AUX area data is passed over, because it may be larger than memory
    expanded,  // from COMPRESSED records: no COMPRESSED records again, and no records with data that follows the record
  };
  BufferedRecords(std::unique_ptr<RecordBuffer> buffer, ByteOrder order, Content content,
                  std::function<void(const Skipped&)> on_skipped);

  // The caller fills this buffer.
  RecordBuffer& buffer() { return *buffer_; }
  // No more bytes will come.
  void end() { ended_ = true; }

  // The next record, without its position; false when more bytes are needed. The record lives until the buffer is
  // filled again.
  bool next(Record& record);
  // The number of bytes in the buffer that were not taken.
  std::size_t unread() const { return buffer_->unread().size(); }
  // The number of bytes taken so far, the last record included.
  std::uint64_t offset() const { return offset_; }

 private:
  bool skip_trailing();
  bool find_next();
  RecordExtent extent_at_start(Bytes unread, const RecordHeader& header);
  void consume(std::size_t size);

  std::unique_ptr<RecordBuffer> buffer_;
  ByteOrder order_;
  Content content_;
  std::function<void(const Skipped&)> on_skipped_;
  std::uint64_t offset_ = 0;    // of the first unread byte
  std::uint64_t trailing_ = 0;  // bytes still to come that follow a record and are not needed
  bool jumped_ = false;         // the walk jumped over data to the unread bytes
  bool lost_ = false;           // the unread bytes are not the start of a record
  Skipped skipped_;             // the bytes passed over while lost_
  bool ended_ = false;
};

}  // namespace perfsift::reader
