// The names of record types as perf prints them (`perf report --stats`, `perf script -D`).
#pragma once

#include <string_view>

#include "reader/format/abi.h"

namespace perfsift::reader {

// "UNKNOWN" for unknown types. The name lives for the whole run.
std::string_view record_name(RecordType type);

}  // namespace perfsift::reader
