// Waits until there is something to do: a ring is filled up to its watermark, a recorded thread has ended, the command
// has ended, or time has passed.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/owned.h"
#include "record/rings/counter.h"

namespace perfsift::record {

// Not thread-safe, except live().
class WakeUps {
 public:
  // Throws Error.
  WakeUps();

  // The counter must outlive this object. Its thread has ended when the kernel reports a hang-up: perf_poll() in
  // kernel/events/core.c does so when the thread and all inherited ones have ended. Throws Error.
  void add(const Counter& counter);
  // A descriptor that becomes readable when the command ends. Throws Error.
  void add_end_of_command(int fd);
  // A descriptor of the caller that ends waits while it is readable. One that hangs up ends a single wait. Throws
  // Error.
  void add_other(int fd) { add(fd, Kind::other); }

  // Returns early when a signal comes.
  void wait(std::chrono::milliseconds longest);
  std::size_t live() const { return live_; }  // counters whose threads have not all ended

 private:
  enum class Kind : std::uint8_t { counter, command, other };
  void add(int fd, Kind kind);

  FileDescriptor epoll_;
  std::atomic<std::size_t> live_ = 0;
};

}  // namespace perfsift::record
