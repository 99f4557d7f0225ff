// PERF_RECORD_COMPRESSED and PERF_RECORD_COMPRESSED2: a piece of the writer's zstd stream. What it holds are records.
#pragma once

#include <cstdint>
#include <optional>

#include "reader/record.h"

namespace perfsift::reader {

struct Compressed {
  std::uint64_t size = 0;  // of the piece
  // The piece, as far as the record's own size covers it. perf record 6.15 and 6.16 wrote COMPRESSED2 records whose
  // 16-bit size had wrapped; then this is shorter than `size`, and the rest follows the record.
  Bytes data;

  bool whole() const { return data.size() == size; }
};

// Of a COMPRESSED or a COMPRESSED2, which is padded to 8 bytes and therefore says how long the piece is.
std::optional<Compressed> decode_compressed(const Record& record);

}  // namespace perfsift::reader
