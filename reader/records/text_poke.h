// PERF_RECORD_TEXT_POKE: the kernel changed its own code.
#pragma once

#include <cstdint>
#include <optional>

#include "reader/record.h"

namespace perfsift::reader {

struct TextPoke {
  std::uint64_t address = 0;
  Bytes before;  // in the record; empty: new code
  Bytes after;   // in the record; empty: the code went
};

std::optional<TextPoke> decode_text_poke(const Record& record);

}  // namespace perfsift::reader
