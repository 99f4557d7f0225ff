// A record as it lies in the recording: a header, a payload, and where it stood.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

#include "base/byte_reader.h"
#include "reader/abi.h"

namespace perfsift::reader {

// perf_event_header, in this machine's byte order.
struct RecordHeader {
  RecordType type{};
  std::uint16_t misc = 0;
  std::uint16_t size = 0;  // of the whole record, this header included
};
inline constexpr std::size_t record_header_size = 8;

// A view of one record. Lives as long as the bytes it lies in: for a mapped recording as long as
// the Recording, for a streamed one only during the callback it is given to.
struct Record {
  RecordHeader header;
  Bytes payload;               // what follows the header, `size - 8` bytes
  Bytes trailing;              // AUXTRACE, TRACING_DATA: the data that follows the record itself
  std::uint64_t position = 0;  // grows in the order perf reads the records; ties in time are broken by it
  ByteOrder order = ByteOrder::native;

  ByteReader reader() const { return ByteReader(payload, order); }
  CpuMode cpumode() const {
    const auto mode = header.misc & misc::cpumode_mask;
    return mode <= 5 ? static_cast<CpuMode>(mode) : CpuMode::unknown;
  }
};

// When something happened: the event clock's nanoseconds, and the place in the recording to break
// ties. Records without a time (synthesised by perf before it began) get the time up to which perf
// had already delivered when it read them, so that sorting by Moment is the order in which they
// take effect (ordered_events__queue() in tools/perf/util/ordered-events.c: time 0 and ~0 are not
// queued).
struct Moment {
  std::uint64_t time = 0;
  std::uint64_t position = 0;
  auto operator<=>(const Moment&) const = default;
};
inline constexpr Moment end_of_time{std::numeric_limits<std::uint64_t>::max(),
                                    std::numeric_limits<std::uint64_t>::max()};
inline constexpr std::uint64_t no_time = std::numeric_limits<std::uint64_t>::max();

// The sample_id trailer of a record that is not a sample (perf_event__output_id_sample() in the
// kernel). Fields that were not recorded keep their defaults.
struct SampleId {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::uint64_t time = no_time;
  std::uint64_t id = 0;
  std::uint64_t stream_id = 0;
  std::int32_t cpu = -1;
  std::size_t size = 0;  // bytes the trailer takes at the end of the payload
};

}  // namespace perfsift::reader
