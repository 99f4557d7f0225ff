// PERF_RECORD_ID_INDEX: which event ids belong to which CPU and thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reader/record.h"

namespace perfsift::reader {

struct IdIndex {
  struct Entry {
    std::uint64_t id = 0;
    std::uint64_t index = 0;  // of the ring buffer
    std::int32_t cpu = -1;
    std::int32_t tid = -1;
    std::int32_t machine_pid = 0;  // of a guest: who runs it, and on which of its CPUs
    std::int32_t vcpu = -1;
  };
  std::vector<Entry> entries;
};

std::optional<IdIndex> decode_id_index(const Record& record);

}  // namespace perfsift::reader
