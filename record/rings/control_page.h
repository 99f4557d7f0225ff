// The page in front of the data of a ring, in which the kernel and the reader keep their positions.
#pragma once

#include <cstddef>

#include <linux/perf_event.h>

namespace perfsift::record {

inline perf_event_mmap_page& control(std::byte* page) { return *reinterpret_cast<perf_event_mmap_page*>(page); }

}  // namespace perfsift::record
