// PERF_RECORD_CPU_MAP: a set of CPUs, in one of four encodings.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reader/record.h"

namespace perfsift::reader {

struct CpuMap {
  std::vector<std::int32_t> cpus;  // ascending, as far as the writer's were; -1: any
};

std::optional<CpuMap> decode_cpu_map(const Record& record);

// The map itself, struct perf_record_cpu_map_data; EVENT_UPDATE holds one too. `in` is not ok() when it is malformed.
CpuMap read_cpu_map(ByteReader& in);

}  // namespace perfsift::reader
