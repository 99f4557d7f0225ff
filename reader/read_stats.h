// Counts of what was read, what was lost, and what was broken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reader/format/record.h"

namespace perfsift::reader {

// A part of the input that could not be read. Never fatal; the exit status becomes 4.
struct Damage {
  std::string file;
  std::uint64_t offset = 0;   // in that file
  std::uint64_t bytes = 0;    // that were not read, from there on
  std::uint64_t records = 0;  // that are lost with the bytes; 0 when the number is unknown
  bool in_header = false;     // no records are among the bytes
  std::string what;           // "the recording was never finished (data size 0)", …
};

// Losses according to the recording itself. LOST counts records of any type that found no room in the ring buffer.
// LOST_SAMPLES counts samples that the hardware lost, and, in recordings of perf 6.1 and later, also what LOST counts.
struct Losses {
  std::uint64_t lost_records = 0;                     // sum of LOST.lost
  std::uint64_t lost_chunks = 0;                      // number of LOST records
  std::uint64_t lost_samples = 0;                     // sum of LOST_SAMPLES.lost, without the BPF-dropped
  std::uint64_t lost_samples_without_room = 0;        // of these: found no room in the ring buffer
  std::uint64_t bpf_dropped_samples = 0;              // sum of LOST_SAMPLES.lost with misc bit 15
  std::map<std::uint64_t, std::uint64_t> lost_by_id;  // newest READ value with FORMAT_LOST, by event id
  std::uint64_t aux_truncated = 0;                    // AUX records with flag 1, and their collisions (flag 8)
  std::uint64_t aux_collisions = 0;
  std::uint64_t cut_trace_records = 0;  // of an Arm SPE trace, because its buffer was full

  // Losses that are both in lost_records and in lost_samples.
  std::uint64_t told_twice() const { return std::min(lost_records, lost_samples_without_room); }
};

// A LOST or LOST_SAMPLES record: what was lost since the record before in the same ring buffer. LOST_SAMPLES of perf
// about the whole recording are left out.
struct LostAt {
  std::uint64_t time = no_time;  // no_time: not recorded
  std::int32_t cpu = -1;         // -1: not recorded
  std::uint64_t records = 0;
  std::uint64_t samples = 0;
};

// PERF_RECORD_THROTTLE .. UNTHROTTLE of one event (stream) id.
struct ThrottleWindow {
  std::uint64_t id = 0;
  std::uint64_t stream_id = 0;
  std::int32_t cpu = -1;
  std::uint64_t from = 0;
  std::uint64_t until = 0;  // no_time: never unthrottled
};

struct ReadStats {
  std::map<RecordType, std::uint64_t> records;  // COMPRESSED records and the records inside are both counted
  std::map<RecordType, std::uint64_t> unknown;  // unknown types: counted and skipped
  std::map<RecordType, std::uint64_t> malformed;
  std::uint64_t unknown_ids = 0;    // samples and READ members whose id belongs to no event
  std::uint64_t out_of_order = 0;   // delivered late (perf: "out of order events recorded")
  std::uint64_t bytes = 0;          // of records, after decompression
  std::uint64_t skipped_bytes = 0;  // damaged bytes where records should be: about as many bytes of records are lost
  std::uint64_t first_sample_time = no_time;
  std::uint64_t last_sample_time = 0;
  bool trace_is_decoded = false;    // an Arm SPE trace becomes samples
  std::uint64_t trace_records = 0;  // of an Arm SPE trace: sampled operations
  Losses losses;
  std::vector<LostAt> lost_at;  // without losses of 0 records, and samples that a BPF filter dropped
  std::vector<ThrottleWindow> throttled;
  std::vector<Damage> damage;

  bool whole() const { return damage.empty(); }
  std::uint64_t samples() const {  // SAMPLE records, and records of a trace
    const auto counted = records.find(RecordType::sample);
    return (counted != records.end() ? counted->second : 0) + trace_records;
  }
};

}  // namespace perfsift::reader
