// perf_to_profile, the converter that pprof runs when it is given a perf.data: the program acts as perf_to_profile
// under this name.
#pragma once

#include <string_view>

#include "options/command_line.h"

namespace perfsift::tools {

inline constexpr std::string_view perf_to_profile_name = "perf_to_profile";

// Takes the options of perf_data_converter's program. Losses are stacks of the profile, as there.
int perf_to_profile(const options::Arguments& arguments);

}  // namespace perfsift::tools
