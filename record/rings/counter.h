// An open event of the kernel: the file descriptor that perf_event_open() gives for one event, thread and CPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/owned.h"
#include "reader/format/event.h"

namespace perfsift::record {

struct CounterPlace {
  std::int32_t tid = -1;  // -1: any thread; 0: the calling thread. With a cgroup: unused
  std::int32_t cpu = -1;  // -1: any
  int cgroup_fd = -1;     // a folder of the cgroup file system, opened
  int group_fd = -1;      // of the leader
};

// Functions that return bool say whether the kernel did it; errno then has the reason. Not thread-safe.
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
  // PERF_EVENT_IOC_SET_OUTPUT: the records of this counter go into the ring of another, which must be mapped.
  bool share_ring_of(const Counter& other);
  // PERF_EVENT_IOC_SET_FILTER: of a tracepoint, or of an address range.
  bool set_filter(const std::string& filter);

  // What read(2) gives. The counts of inherited counters are included.
  struct Count {
    std::uint64_t value = 0;
    std::uint64_t enabled_ns = 0, running_ns = 0;  // 0 unless read_format has them
    std::uint64_t lost = 0;  // records for which the ring had no room (PERF_FORMAT_LOST); 0 before Linux 6.0
  };
  // With PERF_FORMAT_GROUP, the kernel gives all counters of the group, and PERF_FORMAT_ID must be set, too. Nothing:
  // the kernel refused, or gave something else than read_format says.
  std::optional<Count> read() const;

 private:
  FileDescriptor fd_;
  std::uint64_t id_ = 0;
  std::uint64_t read_format_ = 0;
};

}  // namespace perfsift::record
