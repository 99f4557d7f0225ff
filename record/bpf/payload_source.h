// Reads a map that BPF programs write payloads into: each payload becomes a SAMPLE record whose raw data are the
// payload, and each loss becomes a LOST record.
//
// ```cpp
// const auto source = record::open_payload_source(record::open_ring_map("events"), {});
// std::uint64_t lost = 0;
// source->wait(std::chrono::milliseconds(100));
// source->drain(records);
// for (const record::PayloadCounts& some : source->counts()) lost += some.lost.value_or(0);
// ```
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reader/format/event.h"
#include "record/bpf/ring_map.h"
#include "record/machine/kernel_files.h"
#include "record/rings/record_sink.h"

namespace perfsift::record {

struct PayloadSourcePlan {
  std::vector<unsigned> cpus;                     // of a perf event array; empty: all that are online
  std::size_t ring_bytes = std::size_t{1} << 20;  // of each ring of a perf event array
  bool peek = false;                              // of a ring buffer: another reader gives room back
  KernelRoots roots;
};

struct PayloadCounts {
  std::optional<unsigned> cpu;  // nothing: of all CPUs
  std::uint64_t received = 0;
  // Payloads for which there was no room. Nothing: the kernel does not count them (ring buffers).
  std::optional<std::uint64_t> lost;
  std::uint64_t cut = 0;              // received ones whose end is missing: they are longer than a record
  std::uint64_t damaged = 0;          // bytes
  std::uint64_t overtaken_bytes = 0;  // peeking: overwritten before they were read, together with their headers
};

// Not thread-safe. The destructor takes the events out of the map.
class PayloadSource {
 public:
  virtual ~PayloadSource() = default;

  // The event of the samples, of the type BPF_OUTPUT, and the ids of its counters. Times are those of CLOCK_MONOTONIC
  // (bpf_ktime_get_ns() in a program): of the payload, or, of a ring buffer, of the moment at which it was read.
  virtual const reader::EventAttr& attr() const = 0;
  virtual std::vector<std::uint64_t> ids() const = 0;

  // One pass over what has arrived; ends with sink.round().
  virtual void drain(RecordSink& sink) = 0;
  // Until there is much to read, or the time has passed, or a descriptor of watch() is readable.
  virtual void wait(std::chrono::milliseconds longest) = 0;
  virtual void watch(int fd) = 0;

  // One for each ring.
  virtual std::vector<PayloadCounts> counts() const = 0;
  // What was asked for and is not there: sentences for the user.
  virtual const std::vector<std::string>& left_out() const = 0;
};

// Payloads that were written before are not in a perf event array, and are in a ring buffer. Who had events in the map
// gets no payloads any more: see processes_of_map(). Throws Error, and UsageError for a CPU that is not there.
std::unique_ptr<PayloadSource> open_payload_source(RingMap map, const PayloadSourcePlan& plan);

}  // namespace perfsift::record
