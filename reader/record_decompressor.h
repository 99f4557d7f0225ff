// COMPRESSED and COMPRESSED2 records: pieces of one continuous zstd stream per writer, which holds records.
//
// A piece may end in the middle of a record; the next piece goes on there (perf_session__process_compressed_event()).
#pragma once

#include <cstdint>
#include <vector>

#include <zstd.h>

#include "base/owned.h"
#include "reader/buffered_records.h"

namespace perfsift::reader {

inline bool is_compressed(RecordType type) { return type == RecordType::compressed || type == RecordType::compressed2; }

// How far records may expand. A file of a few kilobytes can be made that expands to many gigabytes.
struct ExpansionLimits {
  std::uint64_t record = 0;  // bytes out of one record
  std::uint64_t total = 0;   // bytes out of all records of a recording
};

// The state of one writer's stream. Records are taken while it expands, so that no more is unread at any time than the
// start of one record, and what the search for the next record looks ahead. Not thread-safe.
class RecordDecompressor {
 public:
  // `expanded`: counts what all streams of the recording have expanded to; it must outlive this object.
  RecordDecompressor(BufferedRecords records, std::uint64_t& expanded)
      : records_(std::move(records)), expanded_(expanded) {}

  // Takes a COMPRESSED or COMPRESSED2 record at `offset` of its file. Its bytes must stay until next() gives false.
  void begin(const Record& record, std::uint64_t offset, const ExpansionLimits& limits);
  // No more will come.
  void end() { records_.end(); }
  // The next record in what there is, without its position; false when more COMPRESSED records are needed for it. It
  // lives until the next call, or as long as a LastingBuffer.
  bool next(Record& record);

  // How many bytes can be unread at most.
  static std::size_t most_unread();
  std::size_t unread() const { return records_.unread(); }

  // Where expanding ended. What follows there goes on from what was not expanded, and so is lost with it.
  struct Lost {
    enum class Reason : std::uint8_t { damaged, record_too_large, total_too_large } reason = Reason::damaged;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;  // compressed; 0: nothing is lost
    std::uint64_t limit = 0;  // the one that was exceeded
  };
  const Lost& lost() const { return lost_; }

 private:
  bool expand_some();
  void give_up(Lost::Reason reason, std::uint64_t limit);

  BufferedRecords records_;
  std::uint64_t& expanded_;
  Owned<ZSTD_DStream, ZSTD_freeDStream> stream_{ZSTD_createDStream()};

  // Of the record that is being expanded.
  std::vector<Bytes> pieces_;    // what is left of them, the last one first
  std::size_t piece_at_ = 0;     // how much of the first was taken
  bool output_is_full_ = false;  // more may wait inside the stream
  std::uint64_t offset_ = 0, expanded_from_record_ = 0;
  ExpansionLimits limits_;
  Lost lost_;
};

}  // namespace perfsift::reader
