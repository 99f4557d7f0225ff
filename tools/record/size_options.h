// Sizes, times and CPUs in the options of commands that record.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/duration.h"

namespace perfsift::tools {

// "100M": a number and a unit, which perf has in both cases. Nothing if the text is no size.
std::optional<std::uint64_t> size_in(std::string_view text);
// Of --mmap-pages: pages, or a size with a unit, as for perf record. `option`: what the user has given. Throws
// UsageError.
std::size_t ring_bytes_in(std::string_view text, const std::string& option);
// --cpu: a list such as 0-3,8. Throws UsageError.
std::vector<unsigned> cpus_in(const std::string& text);
// The units of times, without the one that a number alone has.
std::span<const TimeUnit> time_units_with_names();
// --max-time: seconds, or a time with a unit. Throws UsageError.
std::chrono::nanoseconds longest_in(const std::string& text);

}  // namespace perfsift::tools
