// Whether the threads that use a cache line share data, or only the line.
#pragma once

#include "analysis/memory/cache_lines.h"

namespace perfsift::analysis {

// Sets sharing, false_share, disturbed, falsely_shared, stores_not_sampled, stores_not_known and groups of a line. The
// other members of the line must be complete.
//
// Two accesses disturb each other if they come from different threads and one is a store. Two shares decide for an
// offset: its share of the thread's own accesses to the line, and its share of the accesses that disturb the thread.
// The threads share the data at the offset if the second share is at least a tenth of the first. So one store by the
// thread that initialised an offset shares nothing. Otherwise the threads share the line only. A sample has the address
// where an access begins, but not its length. So accesses that overlap, but begin at different offsets, look like false
// sharing.
void judge_sharing(CacheLine& line);

}  // namespace perfsift::analysis
