// Numbers of samples as perf report prints them.
#pragma once

#include <cstdint>
#include <string>

#include "filter/field.h"

namespace perfsift::analysis {

// A transaction is "TX SYNC RETRY :2a", or "none"; an address is "0x401000".
std::string number_text(filter::NumberForm form, filter::Number value);
// "4K", or "N/A" where the kernel did not know it.
std::string page_size_text(std::uint64_t bytes);

}  // namespace perfsift::analysis
