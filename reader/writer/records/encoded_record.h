// What all encoders of records share: the header, the trailer, and names.
//
// Each encoder is the twin of a decoder in reader/records/: it takes what the decoder gives, and returns the bytes of
// the whole record. The size of a record has 16 bits. A name longer than most_name_bytes is cut, so a record with one
// name always fits. A list that does not fit gives no bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "reader/format/record.h"
#include "reader/writer/byte_writer.h"

namespace perfsift::reader {

// PATH_MAX without the NUL: perf's own structs (union perf_event in tools/perf/util/event.h) have no longer names.
inline constexpr std::size_t most_name_bytes = 4095;

// The sample_id trailer of a record that is not a sample: perf_event__output_id_sample() in the kernel. The records of
// an event have a trailer if the event has sample_id_all.
struct Trailer {
  // The sample_type of the event, which decides the fields; 0: no trailer.
  std::uint64_t sample_type = 0;
  // `size` is not used. Fields that are not known have their defaults.
  SampleId id;

  // The trailer of records that perf makes up. Only zeros: perf takes such a record as one of the first event
  // (evlist__event2evsel()), and reads the record at once instead of sorting it by its time.
  static Trailer zeros(std::uint64_t sample_type) {
    return {.sample_type = sample_type, .id = {.pid = 0, .tid = 0, .time = 0, .cpu = 0}};
  }
};

// How the bytes of a record are written.
struct Encoding {
  ByteOrder order = ByteOrder::native;
  Trailer trailer;

  ByteWriter payload() const { return ByteWriter(order); }
};

// Adds a name with its NUL, padded to 8 bytes.
void put_name(ByteWriter& out, std::string_view name);

// The bytes of a whole record; none if the size exceeds 16 bits.
std::vector<std::byte> encoded_record(RecordType type, std::uint16_t misc, const ByteWriter& payload,
                                      const Encoding& encoding);
// A record without a trailer: perf's own records (first_user_record and above).
std::vector<std::byte> encoded_record(RecordType type, const ByteWriter& payload, ByteOrder order);

inline std::uint32_t as_u32(std::int32_t number) { return static_cast<std::uint32_t>(number); }

}  // namespace perfsift::reader
