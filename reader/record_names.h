// The names of record types as perf prints them (`perf report --stats`, `perf script -D`).
#pragma once

#include <string_view>

#include "reader/abi.h"

namespace perfsift::reader {

// "UNKNOWN" for types nobody here knows. Lives forever.
std::string_view record_name(RecordType type);

}  // namespace perfsift::reader
