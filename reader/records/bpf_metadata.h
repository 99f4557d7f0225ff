// PERF_RECORD_BPF_METADATA: what a BPF program says about itself (its variables named bpf_metadata_*).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "reader/record.h"

namespace perfsift::reader {

struct BpfMetadata {
  std::string_view program;                                            // all in the record
  std::vector<std::pair<std::string_view, std::string_view>> entries;  // name, value
};

std::optional<BpfMetadata> decode_bpf_metadata(const Record& record);

}  // namespace perfsift::reader
