// A record as it lies in the recording: a header, a payload, and its position.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

#include "base/byte_reader.h"
#include "reader/format/abi.h"

namespace perfsift::reader {

// perf_event_header, in this machine's byte order.
struct RecordHeader {
  RecordType type{};
  std::uint16_t misc = 0;
  std::uint16_t size = 0;  // of the whole record, this header included
};
inline constexpr std::size_t record_header_size = 8;

// A view of one record. Lives as long as its bytes: in a mapped recording as long as the Recording, in a streamed
// recording only during the callback that receives the record.
struct Record {
  RecordHeader header;
  Bytes payload;               // the bytes after the header: `size - 8` bytes
  Bytes trailing;              // AUXTRACE, TRACING_DATA: the data that follows the record itself
  std::uint64_t position = 0;  // ascending in the order in which perf reads the records; breaks ties of time
  ByteOrder order = ByteOrder::native;

  ByteReader reader() const { return ByteReader(payload, order); }
  CpuMode cpumode() const {
    const auto mode = header.misc & misc::cpumode_mask;
    return mode <= 5 ? static_cast<CpuMode>(mode) : CpuMode::unknown;
  }
};

// A moment: the event clock's nanoseconds, and the position in the recording to break ties. Records without a time
// (synthesised by perf before it began to measure) get the time up to which perf had already delivered when perf read
// them, so that the order of Moments is the order in which records take effect (ordered_events__queue() in
// tools/perf/util/ordered-events.c: time 0 and ~0 are not queued).
struct Moment {
  std::uint64_t time = 0;
  std::uint64_t position = 0;
  auto operator<=>(const Moment&) const = default;
};
inline constexpr Moment end_of_time{std::numeric_limits<std::uint64_t>::max(),
                                    std::numeric_limits<std::uint64_t>::max()};
inline constexpr std::uint64_t no_time = std::numeric_limits<std::uint64_t>::max();

// The sample_id trailer of a record that is not a sample (perf_event__output_id_sample() in the kernel). Fields that
// were not recorded have their defaults.
struct SampleId {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::uint64_t time = no_time;
  std::uint64_t id = 0;
  std::uint64_t stream_id = 0;
  std::int32_t cpu = -1;
  std::size_t size = 0;  // bytes of the trailer at the end of the payload
};

}  // namespace perfsift::reader
