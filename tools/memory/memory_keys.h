// The argument of perfsift mem --sort.
#pragma once

#include <string>

#include "analysis/memory/memory_key.h"

namespace perfsift::tools {

// "mem,symbol". Throws UsageError for names that are no keys, keys that are there twice, and too many keys.
analysis::MemoryKeys memory_keys(const std::string& list);
// All names: "op, mem, …".
std::string memory_key_names();

}  // namespace perfsift::tools
