// The rings of a session that one thread waits for and drains.
//
// ```cpp
// record::Session session(plan);                     // with RingPlan::threads
// record::RingGroup& group = *session.groups()[0];   // of the thread that runs this
// while (group.live() != 0) group.wait(), group.drain(records);
// ```
#pragma once

#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include "record/ring_set.h"
#include "record/wake_ups.h"

namespace perfsift::record {

// For one thread at a time, which may be another than that of the session, and of other groups.
class RingGroup {
 public:
  // `rings` must live longer. `ended_fd`: an eventfd that is written to when a recorded thread has ended. Throws Error.
  RingGroup(RingSet& rings, RingThread thread, std::chrono::milliseconds longest_wait, int ended_fd)
      : rings_(rings), thread_(std::move(thread)), longest_wait_(longest_wait), ended_fd_(ended_fd) {}

  void add(std::size_t ring) { numbers_.push_back(ring); }
  // See WakeUps::add().
  void add(const Counter& counter) { wake_ups_.add(counter); }

  const std::vector<std::size_t>& rings() const { return numbers_; }
  const std::vector<unsigned>& affinity() const { return thread_.affinity; }
  // Makes wait() return while a descriptor of the caller is readable. Throws Error.
  void watch(int fd) { wake_ups_.add_other(fd); }
  // Until a ring is filled to the watermark, a recorded thread has ended, or the longest wait has passed.
  void wait();
  // One pass over the rings; ends with sink.round(), which says nothing about the rings of other groups.
  void drain(RecordSink& sink) { rings_.drain(numbers_, sink); }
  // Counters whose threads have not all ended. For any thread.
  std::size_t live() const { return wake_ups_.live(); }

 private:
  RingSet& rings_;
  const RingThread thread_;
  const std::chrono::milliseconds longest_wait_;
  const int ended_fd_;
  std::vector<std::size_t> numbers_;
  WakeUps wake_ups_;
};

}  // namespace perfsift::record
