// What leaves the rings: records, hardware traces, and the number of records that never arrived.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/byte_reader.h"
#include "record/rings/pieces.h"

namespace perfsift::record {

// A part of a trace as the hardware has written it into the AUX area of a ring.
struct TracePiece {
  std::size_t ring = 0;
  std::int32_t tid = -1, cpu = -1;  // the place of the ring; -1: any
  std::uint64_t position = 0;       // of the first byte, in the whole trace of the ring
  Pieces bytes;
};

// Takes records as the kernel wrote them.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  // Whole records of one ring, in the order in which they were written. The bytes are valid during the call. A pass
  // calls this several times for a ring: a record that wraps, and a record whose garbage was cut off, come alone.
  virtual void records(std::size_t ring, Bytes records) = 0;
  // A piece of trace; its bytes are valid during the call. A pass gives the piece of a ring after the records of that
  // ring. Sinks of sessions that trace nothing need not take pieces.
  virtual void trace(const TracePiece& /*piece*/) {}
  // A pass over all rings is complete. The passes that follow bring no record that is older than the youngest record of
  // the pass before this one: FINISHED_ROUND of perf.data says this.
  virtual void round() = 0;
};

// What an AUX area has given, and how often trace was lost (flags of AUX records).
struct TraceCounts {
  std::uint64_t bytes = 0;       // that reached the sink
  std::uint64_t truncated = 0;   // AUX records before which the area was full
  std::uint64_t partial = 0;     // AUX records of trace that has gaps
  std::uint64_t collisions = 0;  // AUX records of trace that lacks samples, because two would have overlapped

  TraceCounts& operator+=(const TraceCounts& other) {
    bytes += other.bytes, truncated += other.truncated;
    partial += other.partial, collisions += other.collisions;
    return *this;
  }
};

// What one ring has given, and what it has lost.
struct RingCounts {
  std::uint64_t samples = 0;       // SAMPLE records that reached the sink
  std::uint64_t lost_records = 0;  // sums of LOST records: records for which the ring had no room
  std::uint64_t lost_samples = 0;  // sums of LOST_SAMPLES records: samples that the hardware could not deliver
  // PERF_FORMAT_LOST of all counters of the ring: all records for which the ring had no room, while lost_records
  // lacks those at the end, after which no record had room for a LOST record. 0 before Linux 6.0.
  std::uint64_t counted = 0;
  std::uint64_t overwritten = 0;  // bytes of an overwritten ring that no snapshot has seen
  // Bytes behind a record whose size is impossible, and bytes of trace that were never written; always 0 unless memory
  // is damaged.
  std::uint64_t damaged = 0;
  TraceCounts trace;

  std::uint64_t lost() const { return std::max(lost_records, counted) + lost_samples; }
};

// Sums over all rings.
inline std::uint64_t samples_of(const std::vector<RingCounts>& rings) {
  std::uint64_t samples = 0;
  for (const RingCounts& ring : rings) samples += ring.samples;
  return samples;
}
inline std::uint64_t lost_of(const std::vector<RingCounts>& rings) {
  std::uint64_t lost = 0;
  for (const RingCounts& ring : rings) lost += ring.lost();
  return lost;
}
inline TraceCounts traces_of(const std::vector<RingCounts>& rings) {
  TraceCounts traces;
  for (const RingCounts& ring : rings) traces += ring.trace;
  return traces;
}

// How full an overwritten ring is.
struct RingFill {
  std::size_t ring = 0;
  std::size_t capacity = 0;   // bytes
  std::uint64_t written = 0;  // bytes since the ring was mapped; more than the capacity: older records are gone
};

}  // namespace perfsift::record
