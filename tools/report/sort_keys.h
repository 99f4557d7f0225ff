// --sort of perfsift report.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/sort_key.h"

namespace perfsift::tools {

// The keys of a list such as "comm,dso,symbol". Throws UsageError for a name that is no key, for a key of perf report
// that perfsift does not have, with the reason, and for a key that is named twice.
std::vector<analysis::SortKey> sort_keys(const std::string& list);
// Whether the values of a key mean the same in two recordings.
bool is_comparable(analysis::SortKey key);

}  // namespace perfsift::tools
