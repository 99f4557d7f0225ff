// PERF_RECORD_COMPRESSED and PERF_RECORD_COMPRESSED2: a piece of the writer's zstd stream, which contains
// records.
#pragma once

#include <cstdint>
#include <optional>

#include "reader/format/record.h"

namespace perfsift::reader {

struct Compressed {
  std::uint64_t size = 0;  // of the piece
  // The bytes of the piece that the record's own size covers. perf record 6.15 and 6.16 wrote COMPRESSED2 records whose
  // 16-bit size had wrapped: `data` is then shorter than `size`, and the rest follows the record.
  Bytes data;

  bool whole() const { return data.size() == size; }
};

// Decodes COMPRESSED and COMPRESSED2 records. A COMPRESSED2 record is padded to 8 bytes, and therefore has the size of
// the piece.
std::optional<Compressed> decode_compressed(const Record& record);

}  // namespace perfsift::reader
