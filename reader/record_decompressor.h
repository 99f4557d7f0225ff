// COMPRESSED and COMPRESSED2 records: pieces of one continuous zstd stream per writer, which holds records.
//
// A piece may end in the middle of a record; the next piece goes on there (perf_session__process_compressed_event()).
#pragma once

#include <memory>

#include <zstd.h>

#include "base/owned.h"
#include "reader/buffered_records.h"

namespace perfsift::reader {

inline bool is_compressed(RecordType type) { return type == RecordType::compressed || type == RecordType::compressed2; }

// The state of one writer's stream. Not thread-safe.
class RecordDecompressor {
 public:
  explicit RecordDecompressor(BufferedRecords records) : records_(std::move(records)) {}

  // Takes a COMPRESSED or COMPRESSED2 record at `offset` of its file; what it expands to comes out of records().
  // `limit`: how many bytes it may expand to at most (the mmap_len of the COMPRESSED feature).
  void expand(const Record& record, std::uint64_t offset, std::uint64_t limit);
  BufferedRecords& records() { return records_; }

  // Where the stream turned out to be damaged. What follows there goes on from what could not be expanded, and so is
  // lost with it.
  struct Lost {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;  // compressed; 0: nothing is damaged
  };
  const Lost& lost() const { return lost_; }

 private:
  bool expand_piece(Bytes piece, std::uint64_t limit);

  BufferedRecords records_;
  Owned<ZSTD_DStream, ZSTD_freeDStream> stream_{ZSTD_createDStream()};
  Lost lost_;
};

}  // namespace perfsift::reader
