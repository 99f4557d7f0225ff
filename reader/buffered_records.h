// Records out of a buffer that is filled piece by piece: from a pipe, or by a decompressor.
//
// What is damaged is left out in the same places, however the pieces are cut and whether the recording comes from a
// pipe or lies in a file. There is one exception: the data behind an AUXTRACE record is passed over as it comes, so a
// size of it that is wrong costs all that it covers, where a file shows that so much is not there.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "reader/record_buffer.h"
#include "reader/record_walk.h"

namespace perfsift::reader {

// Bytes between records that are none.
struct Skipped {
  std::uint64_t offset = 0;  // counted from the first byte there was
  std::uint64_t bytes = 0;
  bool to_the_end = false;  // no record follows
};

// Not thread-safe.
class BufferedRecords {
 public:
  enum class Content : std::uint8_t {
    recording,  // everything; AUX area data is not kept: it may be larger than memory
    expanded,   // out of COMPRESSED records: none of those again, and no record with data that follows it
  };
  BufferedRecords(std::unique_ptr<RecordBuffer> buffer, ByteOrder order, Content content,
                  std::function<void(const Skipped&)> on_skipped);

  // To be filled with what comes.
  RecordBuffer& buffer() { return *buffer_; }
  // No more will come.
  void end() { ended_ = true; }

  // The next record, without its position; false when more bytes are needed for it. It lives until the buffer is
  // filled again.
  bool next(Record& record);
  // How many bytes are there that were not taken.
  std::size_t unread() const { return buffer_->unread().size(); }
  // How many bytes have been taken, the last record included.
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
  std::uint64_t offset_ = 0;    // of what is unread
  std::uint64_t trailing_ = 0;  // bytes still to come that follow a record and are not needed
  bool jumped_ = false;         // over data to what is unread
  bool lost_ = false;           // what is unread is not the start of a record
  Skipped skipped_;             // while lost
  bool ended_ = false;
};

}  // namespace perfsift::reader
