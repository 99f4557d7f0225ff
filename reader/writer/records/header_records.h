// Encoders of records about the recording itself: see reader/records/header_records.h and stat.h. These records are
// perf's own and have no trailer. For HEADER_BUILD_ID see reader/writer/build_id_record.h.
#pragma once

#include <cstddef>
#include <vector>

#include "reader/records/header_records.h"
#include "reader/records/stat.h"
#include "reader/writer/records/encoded_record.h"

namespace perfsift::reader {

// The attr has attr.size bytes, or known_attr_size if attr.size is 0. No bytes if the ids do not fit: the header of a
// file holds more.
std::vector<std::byte> encode_header_attr(const HeaderAttr& header, ByteOrder order);
// No bytes if the section does not fit. The mark behind the last feature has no data.
std::vector<std::byte> encode_header_feature(const HeaderFeature& feature, ByteOrder order);
// The record alone: the bytes of `tracing.data`, padded to 8, must follow.
std::vector<std::byte> encode_header_tracing_data(const HeaderTracingData& tracing, ByteOrder order);
std::vector<std::byte> encode_event_update(const EventUpdate& update, ByteOrder order);

// One record behind the other, for more entries than a record can hold: perf_event__synthesize_id_index() splits, too.
// Entries have their second part (guests) only if an entry belongs to a guest. No entries: no bytes.
std::vector<std::byte> encode_id_index(const IdIndex& index, ByteOrder order);
std::vector<std::byte> encode_time_conv(const TimeConv& conversion, ByteOrder order);
// Names are cut to 15 bytes. No bytes if the threads do not fit.
std::vector<std::byte> encode_thread_map(const ThreadMap& map, ByteOrder order);
// The map is a list, whose numbers have 16 bits. No bytes if the CPUs do not fit.
std::vector<std::byte> encode_cpu_map(const CpuMap& map, ByteOrder order);

std::vector<std::byte> encode_finished_round(ByteOrder order);
std::vector<std::byte> encode_finished_init(ByteOrder order);

}  // namespace perfsift::reader
