// COMPRESSED and COMPRESSED2 records: pieces of one continuous zstd stream per writer, which holds records.
//
// A piece may end in the middle of a record; the next piece goes on there (perf_session__process_compressed_event()).
#pragma once

#include <memory>

#include <zstd.h>

#include "base/owned.h"
#include "reader/record.h"
#include "reader/record_buffer.h"

namespace perfsift::reader {

// The state of one writer's stream. Not thread-safe.
class RecordDecompressor {
 public:
  // `limit`: how many bytes one record may expand to at most (the mmap_len of the COMPRESSED feature).
  explicit RecordDecompressor(std::unique_ptr<RecordBuffer> buffer) : buffer_(std::move(buffer)) {}

  // Takes a COMPRESSED or COMPRESSED2 record; what it expands to is appended to buffer().unread(). False when it is
  // damaged: as much of it as could be expanded is there, and the rest of the stream will most likely be damaged too.
  bool expand(const Record& record, std::uint64_t limit);
  RecordBuffer& buffer() { return *buffer_; }

 private:
  bool expand_piece(Bytes piece, std::uint64_t limit);

  std::unique_ptr<RecordBuffer> buffer_;
  Owned<ZSTD_DStream, ZSTD_freeDStream> stream_{ZSTD_createDStream()};
};

}  // namespace perfsift::reader
