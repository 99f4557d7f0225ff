// COMPRESSED records, as `perf record -z` writes them: the pieces of one continuous zstd stream.
//
// perf expands one COMPRESSED record into a buffer of the COMPRESSED feature's mmap_len
// (perf_session__process_compressed_event()). So the stream is flushed at the latest after half of that.
#pragma once

#include <cstdint>
#include <vector>

#include <zstd.h>

#include "base/owned.h"
#include "reader/writer/byte_sink.h"
#include "reader/writer/record_output.h"

namespace perfsift::reader {

// A sink for records; writes COMPRESSED records. The caller must call flush() at the end, and before writing other
// bytes that must come after the records. Not thread-safe.
class RecordCompressor : public ByteSink {
 public:
  static constexpr std::uint32_t mmap_len = 528384;  // the value that perf record uses by default
  static constexpr int least_level = 1, most_level = 22;

  RecordCompressor(ByteOrder order, int level, RecordOutput& out);

  void write(Bytes records) override;
  void write_at(std::uint64_t, Bytes) override;  // not possible: throws std::logic_error
  void flush();

  // The compression ratio, rounded down; at least 1.
  std::uint32_t ratio() const;

 private:
  void compress(Bytes bytes, ZSTD_EndDirective directive);
  void write_record(Bytes content);

  ByteOrder order_;
  RecordOutput& out_;
  Owned<ZSTD_CStream, ZSTD_freeCStream> stream_{ZSTD_createCStream()};
  std::vector<std::byte> buffer_;
  std::uint64_t unflushed_ = 0;  // bytes
  std::uint64_t taken_ = 0;      // bytes
  std::uint64_t written_ = 0;    // bytes, without the headers of records
};

}  // namespace perfsift::reader
