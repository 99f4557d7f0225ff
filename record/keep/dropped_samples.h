// The record that says how many samples were dropped on purpose.
#pragma once

#include <cstdint>

#include "reader/format/event.h"
#include "reader/format/record.h"
#include "reader/writer/byte_writer.h"

namespace perfsift::record {

// Appends a LOST_SAMPLES record as perf writes it for its BPF filters: record__read_lost_samples() in
// tools/perf/builtin-record.c, with the trailer of perf_event__synthesize_id_sample(). perf before 6.4 does not know
// the bit, and counts the samples as lost.
void append_dropped(const reader::EventAttr& attr, std::uint64_t id, std::uint64_t count, reader::ByteWriter& out);

}  // namespace perfsift::record
