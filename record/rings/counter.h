// An open event of the kernel: the file descriptor that perf_event_open() gives for one event, thread and CPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/owned.h"
#include "reader/format/event.h"

namespace perfsift::record {

struct CounterPlace {
  std::int32_t pid = -1;  // of a thread; -1: any; 0: the calling thread. With a cgroup: unused
  std::int32_t cpu = -1;  // -1: any
  int cgroup_fd = -1;     // a folder of the cgroup file system, opened
  int group_fd = -1;      // of the leader
};

// Not thread-safe.
class Counter {
 public:
  // The error number of the kernel where the event cannot be opened: see why_not_opened().
  struct Refused {
    int error = 0;
  };
  // Throws nothing; `refused` says why there is no counter.
  static std::optional<Counter> open(const reader::EventAttr& attr, const CounterPlace& place, Refused& refused);

  int fd() const { return fd_.get(); }
  // PERF_EVENT_IOC_ID: the number that samples of this counter have.
  std::uint64_t id() const { return id_; }
  bool enable();
  bool disable();
  // PERF_EVENT_IOC_SET_OUTPUT: the records of this counter go into the ring of another.
  bool share_ring_of(const Counter& other);
  // PERF_EVENT_IOC_SET_FILTER: of a tracepoint, or of an address range.
  bool set_filter(const std::string& filter);

  // What read(2) gives, by read_format, which must not have `group`.
  struct Count {
    std::uint64_t value = 0;
    std::uint64_t enabled_ns = 0, running_ns = 0;
    std::uint64_t id = 0;
    std::uint64_t lost = 0;  // samples for which the ring had no room; 0 before Linux 6.0
  };
  std::optional<Count> read() const;

 private:
  FileDescriptor fd_;
  std::uint64_t id_ = 0;
  std::uint64_t read_format_ = 0;
};

}  // namespace perfsift::record
