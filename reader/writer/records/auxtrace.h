// Encoders of records about hardware traces: see reader/records/auxtrace.h. AUXTRACE_INFO and AUXTRACE are perf's own
// and have no trailer.
#pragma once

#include <cstddef>
#include <vector>

#include "reader/records/auxtrace.h"
#include "reader/writer/records/encoded_record.h"

namespace perfsift::reader {

std::vector<std::byte> encode_aux(const Aux& aux, const Encoding& encoding);
// No bytes if the settings do not fit.
std::vector<std::byte> encode_auxtrace_info(const AuxtraceInfo& info, ByteOrder order);
// The record alone: `trace.size` bytes must follow, a multiple of 8.
std::vector<std::byte> encode_auxtrace(const Auxtrace& trace, ByteOrder order);

}  // namespace perfsift::reader
