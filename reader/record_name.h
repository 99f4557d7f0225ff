// What perf calls a type of record.
#pragma once

#include <string>

#include "reader/abi.h"

namespace perfsift::reader {

// "MMAP2", "FINISHED_ROUND", … as perf prints it after PERF_RECORD_; "TYPE_99" for one nobody here
// knows.
std::string record_name(RecordType type);

}  // namespace perfsift::reader
