// Samples threads of the calling process between start() and stop(), for programs that look at themselves.
//
// A Session records others: its dummy event writes records of mappings and names as long as it lives. A Sampler has
// only events that sample, so a sampler that is stopped costs nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "record/attr_configuration.h"
#include "record/open_counters.h"
#include "record/ring_set.h"

namespace perfsift::record {

struct SamplerPlan {
  std::vector<EventRequest> events;
  SampleContent content;
  // A thread of the process; nothing: all threads that exist, and all that these start. The kernel maps inherited
  // events for each CPU only, so the whole process has a ring for each CPU, and one thread has one ring.
  std::optional<std::int32_t> thread;
  std::size_t ring_bytes = std::size_t{1} << 20;
};

// Thread-safe. The rings are memory that a child of fork() does not have (VM_DONTCOPY in perf_mmap(),
// kernel/events/core.c), while the descriptors of the child are the parent's events: in a child, all functions do
// nothing.
class Sampler {
 public:
  // Opens all events, which are disabled. Throws Error that says why an event cannot be opened, and UsageError.
  explicit Sampler(const SamplerPlan& plan);
  // Disables the events. In a child of fork() the rings are not unmapped, because the child may have other memory
  // there.
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  // Async-signal-safe: getpid(2) and an ioctl(2) for each counter, without a lock or memory from the heap. errno is
  // kept. False: the kernel refused, or this process is a child of fork().
  bool start() noexcept;
  bool stop() noexcept;
  bool is_inert() const noexcept;

  // One pass over all rings, also while the events are enabled.
  void drain(RecordSink& sink);
  // Samples that never arrived, exactly since Linux 6.0 (PERF_FORMAT_LOST).
  std::uint64_t lost() const;

  // As the kernel accepted them. Every sample begins with the id of its counter (PERF_SAMPLE_IDENTIFIER), and all
  // samples have the same fields unless a term of an event says otherwise.
  const std::vector<SessionEvent>& events() const { return events_; }
  // Each counter has an id and the event that it counts.
  const std::vector<OpenCounter>& counters() const { return counters_; }
  // What was asked for and is left out: sentences for the user.
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  const std::int32_t process_;
  std::vector<std::string> left_out_;
  std::vector<SessionEvent> events_;
  std::vector<OpenCounter> counters_;
  std::vector<Counter*> leaders_;  // a disabled leader stops its group
  std::unique_ptr<RingSet> rings_;
  mutable std::mutex mutex_;  // of the rings
};

}  // namespace perfsift::record
