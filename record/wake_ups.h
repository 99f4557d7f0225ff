// Waits until there is something to do: a ring is filled up to its watermark, a recorded thread has ended, the command
// has ended, or time has passed.
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "base/owned.h"
#include "record/rings/counter.h"

namespace perfsift::record {

// Not thread-safe.
class WakeUps {
 public:
  // Throws Error.
  WakeUps();

  // The counter must outlive this object. Its thread has ended when the kernel reports a hang-up: perf_poll() in
  // kernel/events/core.c does so when the thread and all inherited ones have ended. Throws Error.
  void add(const Counter& counter);
  // A descriptor that becomes readable when the command ends. Throws Error.
  void add_end_of_command(int fd);
  // A descriptor of the caller that ends waits while it is readable. Throws Error.
  void add_other(int fd) {
    add(fd);
    others_.push_back(fd);
  }

  // Returns early when a signal comes.
  void wait(std::chrono::milliseconds longest);
  std::size_t live() const { return live_; }  // counters whose threads have not all ended

 private:
  void add(int fd);

  FileDescriptor epoll_;
  int command_ = -1;
  std::vector<int> others_;
  std::size_t live_ = 0;
};

}  // namespace perfsift::record
