// PERF_RECORD_COMM: a thread got a name.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reader/record.h"

namespace perfsift::reader {

struct Comm {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::string_view name;  // in the record
  bool exec = false;      // the name came with a new program
};

std::optional<Comm> decode_comm(const Record& record);

}  // namespace perfsift::reader
