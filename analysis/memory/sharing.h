// Whether the threads that use a cache line share data, or only the line.
#pragma once

#include "analysis/memory/cache_lines.h"

namespace perfsift::analysis {

// Fills in sharing, false_share, disturbed, falsely_shared, stores_not_sampled and groups of a line whose other members
// are complete.
//
// Two accesses disturb each other if they come from different threads and one is a store. If both are to the same
// offset, the threads share data; if no other thread disturbs the access at its own offset, they share the line only.
// Samples tell where an access begins, not how many bytes it has: accesses that overlap but begin at different offsets
// look like false sharing.
void judge_sharing(CacheLine& line);

}  // namespace perfsift::analysis
