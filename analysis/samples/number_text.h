// Numbers of samples as perf report prints them.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/samples/sample_number.h"

namespace perfsift::analysis {

// A transaction is "TX SYNC RETRY :2a", or "none".
std::string number_text(SampleNumber number, std::uint64_t value);
// "4K", or "N/A" where the kernel could not tell.
std::string page_size_text(std::uint64_t bytes);

}  // namespace perfsift::analysis
