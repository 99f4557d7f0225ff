// PERF_RECORD_CGROUP: a control group, and the number samples name it by.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reader/record.h"

namespace perfsift::reader {

struct Cgroup {
  std::uint64_t id = 0;
  std::string_view path;  // in the record
};

std::optional<Cgroup> decode_cgroup(const Record& record);

}  // namespace perfsift::reader
