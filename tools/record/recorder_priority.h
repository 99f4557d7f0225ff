// The priority of a recorder: on a busy machine it must run before rings overflow, or are overwritten.
#pragma once

namespace perfsift::tools {

inline constexpr int least_real_time = 1, most_real_time = 99;

// Runs the calling thread, and the threads that it starts later, before all threads without a real-time priority
// (SCHED_FIFO in sched(7)). Throws Error, which says what to do.
void run_in_real_time(int priority);

}  // namespace perfsift::tools
