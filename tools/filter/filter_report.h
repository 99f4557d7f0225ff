// The counts of kept samples, as a line for each recording and as JSON.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tools/filter/filter_recording.h"

namespace perfsift::tools {

// "a.data: 120 of 1000 samples kept, 880 dropped, 3 records lost, 0.12 s: written to b.data (12345 bytes)"
std::string result_line(const FilterResult& result, bool dry_run);

// {"files": [{"input": …, "parts": [{"output": …, "kept": …}], "kept": …, …}], "kept": …, "dropped": …, "failed": …}
nlohmann::json results_json(const std::vector<FilterResult>& results);

}  // namespace perfsift::tools
