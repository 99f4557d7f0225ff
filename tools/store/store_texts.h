// What `perfsift store list`, `show` and `check` print.
#pragma once

#include <string>
#include <vector>

#include "output/json.h"
#include "store/catalog.h"

namespace perfsift::tools {

// A line for each recording, below a line of headings.
std::string list_text(const std::vector<store::StoredRecording>& recordings);
output::Json list_json(const std::vector<store::StoredRecording>& recordings);
std::string summary_text(const store::StoreSummary& summary);
output::Json summary_json(const store::StoreSummary& summary);
// A line for each problem, or one that says that there is none.
std::string check_text(const store::StoreCheck& check);

}  // namespace perfsift::tools
