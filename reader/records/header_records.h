// Records about the recording itself: the header of a recording in pipe form, and tables of events, ids and clocks.
//
// For HEADER_BUILD_ID see decode_build_id() in reader/features/features.h. FINISHED_ROUND and FINISHED_INIT are marks
// in the stream and have no content.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reader/format/event.h"
#include "reader/format/record.h"
#include "reader/records/stat.h"

namespace perfsift::reader {

// PERF_RECORD_HEADER_ATTR: an event.
struct HeaderAttr {
  EventAttr attr;
  std::vector<std::uint64_t> ids;
};

// PERF_RECORD_HEADER_EVENT_TYPE: deprecated and unused; the names of tracepoints before 2.6.38.
struct HeaderEventType {
  std::uint64_t id = 0;
  std::string_view name;  // in the record
};

// PERF_RECORD_HEADER_TRACING_DATA: descriptions of tracepoints, see TracepointFormats.
struct HeaderTracingData {
  std::uint32_t size = 0;  // of the data, by the record
  Bytes data;              // record.trailing; of simpleperf: inside the record
};

// PERF_RECORD_HEADER_FEATURE: a feature section.
struct HeaderFeature {
  std::uint64_t number = 0;  // a Feature, or an unknown number
  Bytes data;                // in the record; the layout is that of the section of a file: see decode_feature()

  // Marks the end of the features. `number` is then the first number that is unknown to the writer, which may be a
  // Feature of a newer perf.
  bool last() const { return data.empty(); }
};

std::optional<HeaderAttr> decode_header_attr(const Record& record);
std::optional<HeaderEventType> decode_header_event_type(const Record& record);
std::optional<HeaderTracingData> decode_header_tracing_data(const Record& record);
std::optional<HeaderFeature> decode_header_feature(const Record& record);

// PERF_RECORD_EVENT_UPDATE: a property of an event that the attr does not have.
struct EventUpdate {
  // PERF_EVENT_UPDATE__*
  enum class Kind : std::uint64_t { unit, scale, name, cpus };

  Kind kind = Kind::unit;  // newer writers may have more kinds: only the id is then known
  std::uint64_t id = 0;    // of the event
  std::string_view text;   // unit, name; in the record
  double scale = 1.0;      // scale
  CpuMap cpus;             // cpus
};

std::optional<EventUpdate> decode_event_update(const Record& record);

// PERF_RECORD_ID_INDEX: which event ids belong to which CPU and thread.
struct IdIndex {
  struct Entry {
    std::uint64_t id = 0;
    std::uint64_t index = 0;  // of the ring buffer
    std::int32_t cpu = -1;
    std::int32_t tid = -1;
    std::int32_t machine_pid = 0;  // for a guest: the process that runs the guest, and the guest's CPU
    std::int32_t vcpu = -1;
  };
  std::vector<Entry> entries;
};

std::optional<IdIndex> decode_id_index(const Record& record);

// PERF_RECORD_TIME_CONV: the conversion of the CPU's time stamp counter to the event clock: see
// `struct perf_event_mmap_page`.
struct TimeConv {
  // For counters of fewer than 64 bits: time_cycles, time_mask and what the kernel offers.
  struct ShortCounter {
    std::uint64_t cycles = 0;
    std::uint64_t mask = 0;
    bool has_time_zero = false;
    bool has_short_time = false;
  };

  std::uint64_t shift = 0;
  std::uint64_t multiplier = 0;
  std::uint64_t zero = 0;
  std::optional<ShortCounter> short_counter;  // since perf 5.10
};

std::optional<TimeConv> decode_time_conv(const Record& record);

}  // namespace perfsift::reader
