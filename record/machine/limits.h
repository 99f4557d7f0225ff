// Limits of the system that a session meets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace perfsift::record {

// Raises the soft limit of open files (RLIMIT_NOFILE) of this process to the hard limit. False: the limit was there.
bool raise_open_files();

// kernel.perf_event_max_sample_rate.
std::optional<std::uint64_t> max_sample_rate(const std::string& proc);

}  // namespace perfsift::record
