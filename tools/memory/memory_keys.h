// The argument of perfsift mem --sort.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/memory/memory_key.h"

namespace perfsift::tools {

// "mem,symbol". Throws UsageError for names that are no keys, keys that are there twice, and too many keys.
analysis::MemoryKeys memory_keys(const std::string& list);
std::vector<std::string_view> memory_key_names();

}  // namespace perfsift::tools
