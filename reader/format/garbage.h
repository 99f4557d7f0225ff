// Garbage that the kernel leaves behind some records.
//
// perf_event_ksymbol_output(), perf_event_bpf_output() and perf_event_text_poke_output() in kernel/events/core.c write
// a record into the ring of each event that wants it. For each, perf_event_header__init_id() adds the size of the
// trailer to the size of the record, and nothing takes it back before the next one (5.1 to 6.18 at least). So the first
// event gets a whole record, and each further one a record with old bytes of its ring behind the trailer: 32 bytes,
// 64, 96. Several recorders at once, or several events of one, are enough. perf takes the last bytes for the trailer,
// finds no event with such an id, and ends with "failed to process type: 17 [Bad address]".
#pragma once

#include <cstddef>

#include "base/byte_reader.h"
#include "reader/format/record.h"

namespace perfsift::reader {

// Whether the kernel leaves garbage behind records of the type.
constexpr bool may_have_garbage(RecordType type) {
  return type == RecordType::ksymbol || type == RecordType::bpf_event || type == RecordType::text_poke;
}

// How many bytes of a record's end are garbage; `trailer`: the size of its sample_id trailer. 0 for nearly all records.
std::size_t garbage_size(const Record& record, std::size_t trailer);

// The payload up to the end of the trailer.
inline Bytes payload_without_garbage(const Record& record, std::size_t trailer) {
  if (!may_have_garbage(record.header.type)) return record.payload;
  return record.payload.first(record.payload.size() - garbage_size(record, trailer));
}

}  // namespace perfsift::reader
