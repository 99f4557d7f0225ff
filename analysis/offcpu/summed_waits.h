// The waits of recordings as sums: what is left of intervals if they are not kept one by one.
//
// A sum has the intervals that ended in the same seconds and are equal in stack, names and state, and whose blocked and
// run-queue times are in the same buckets each (base/histogram_bucket.h). So totals are exact, and percentiles have an
// error of at most an eighth.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/offcpu/interval_sums.h"
#include "analysis/offcpu/task_state.h"
#include "analysis/samples/frame_table.h"

namespace perfsift::offcpu {

struct SummedWait {
  std::uint32_t time = 0;                // in seconds: see WaitCollector::TimeOf
  std::uint32_t stack = 0;               // index into SummedWaits::stacks
  std::uint32_t thread = 0, cgroup = 0;  // indexes into SummedWaits::threads and SummedWaits::cgroups
  TaskState state;                       // when they left their CPU
  std::uint64_t kinds = 0;               // a set of filter::WaitKind; 0: unknown
  std::string_view cut;                  // see cut_of(); lives as long as the program
  bool woken = false;                    // the wakeups were seen
  std::uint32_t blocked_bucket = 0, run_queue_bucket = 0;
  IntervalSums sums;
};

struct SummedWaits {
  const analysis::FrameTable* frames = nullptr;
  std::vector<std::vector<analysis::FrameId>> stacks;  // root first, without the thread
  std::vector<std::string> threads, cgroups;           // names as recorded; empty: not known
  std::vector<SummedWait> sums;
};

// The cut_of() with this text, with a lasting address; empty for other texts.
std::string_view known_cut(std::string_view text);

}  // namespace perfsift::offcpu
