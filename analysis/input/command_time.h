// How long a recorded command ran.
#pragma once

#include <cstdint>
#include <optional>

#include "reader/recording.h"

namespace perfsift::analysis {

// Nanoseconds from the exec of the first program to the end of its process, by the records of both: without the time
// that perf takes to start and to write. Nothing if the recording lacks one of them, as with perf record -a.
std::optional<std::uint64_t> command_time(const reader::Recording& recording);

}  // namespace perfsift::analysis
