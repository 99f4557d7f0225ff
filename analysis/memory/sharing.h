// Whether the threads that use a cache line share data, or only the line.
#pragma once

#include "analysis/memory/cache_lines.h"

namespace perfsift::analysis {

// Fills in sharing, false_share, disturbed, falsely_shared, stores_not_sampled, stores_not_known and groups of a line
// whose other members are complete.
//
// Two accesses disturb each other if they come from different threads and one is a store. A thread's accesses to an
// offset share data if at least a tenth as large a share of the accesses that disturb them is to this offset, as this
// offset has of the thread's own accesses to the line: one store by the thread that initialised an offset shares
// nothing. Otherwise they share the line only. A sample has the address where an access begins, not its length:
// accesses that overlap but begin at different offsets look like false sharing.
void judge_sharing(CacheLine& line);

}  // namespace perfsift::analysis
