// COMPRESSED and COMPRESSED2 records: pieces of one continuous zstd stream per writer. The stream contains records.
//
// A piece may end in the middle of a record, which continues in the next piece
// (perf_session__process_compressed_event()).
#pragma once

#include <cstdint>
#include <vector>

#include <zstd.h>

#include "base/owned.h"
#include "reader/buffered_records.h"

namespace perfsift::reader {

inline bool is_compressed(RecordType type) { return type == RecordType::compressed || type == RecordType::compressed2; }

// Limits of decompression. A file of a few kilobytes can be made to expand to many gigabytes.
struct ExpansionLimits {
  std::uint64_t record = 0;  // bytes out of one record
  std::uint64_t total = 0;   // bytes out of all records of a recording
};

// The state of one writer's stream. Records are taken while the stream expands, so that the unread bytes are never more
// than the start of one record and the bytes that the search for the next record needs. Not thread-safe.
class RecordDecompressor {
 public:
  // `expanded`: counts the bytes that all streams of the recording expanded to. The counter must outlive this object.
  RecordDecompressor(BufferedRecords records, std::uint64_t& expanded)
      : records_(std::move(records)), expanded_(expanded) {}

  // Takes a COMPRESSED or COMPRESSED2 record at `offset` of its file. The bytes of the record must stay until next()
  // returns false.
  void begin(const Record& record, std::uint64_t offset, const ExpansionLimits& limits);
  // No more COMPRESSED records will come.
  void end() { records_.end(); }
  // The next record, without its position; false when more COMPRESSED records are needed. The record lives until the
  // next call, or with a LastingBuffer as long as the buffer.
  bool next(Record& record);

  // The largest number of unread bytes.
  static std::size_t most_unread();
  std::size_t unread() const { return records_.unread(); }

  // The place where decompression stopped. Later COMPRESSED records continue the stream, so they are lost, too.
  struct Lost {
    enum class Reason : std::uint8_t { damaged, record_too_large, total_too_large } reason = Reason::damaged;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;  // compressed; 0: nothing is lost
    std::uint64_t limit = 0;  // the limit that was exceeded
  };
  const Lost& lost() const { return lost_; }

 private:
  bool expand_some();
  void give_up(Lost::Reason reason, std::uint64_t limit);

  BufferedRecords records_;
  std::uint64_t& expanded_;
  Owned<ZSTD_DStream, ZSTD_freeDStream> stream_{ZSTD_createDStream()};

  // State of the record that is being expanded.
  std::vector<Bytes> pieces_;    // compressed bytes still to be expanded, in reverse order
  std::size_t piece_at_ = 0;     // how much of the first piece was taken
  bool output_is_full_ = false;  // more output may wait inside the zstd stream
  std::uint64_t offset_ = 0, expanded_from_record_ = 0;
  ExpansionLimits limits_;
  Lost lost_;
};

}  // namespace perfsift::reader
