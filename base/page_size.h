// The size of a page of memory.
#pragma once

#include <cstddef>

#include <unistd.h>

namespace perfsift {

inline std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

}  // namespace perfsift
