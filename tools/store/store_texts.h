// What `perfsift store list`, `show` and `check` print.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "output/json.h"
#include "store/catalog.h"
#include "store/roll_up.h"

namespace perfsift::tools {

// The time of a row of samples: "10m", "1d".
std::string width_text(std::uint32_t seconds);
// A line for each recording, below a line of headings.
std::string list_text(const std::vector<store::StoredRecording>& recordings);
output::Json list_json(const std::vector<store::StoredRecording>& recordings);
std::string summary_text(const store::StoreSummary& summary);
output::Json summary_json(const store::StoreSummary& summary);
std::string rolled_up_text(const store::RolledUp& rolled_up);
// A line for each problem, or one that says that there is none.
std::string check_text(const store::StoreCheck& check);

}  // namespace perfsift::tools
