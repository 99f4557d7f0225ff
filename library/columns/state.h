// The contents of Columns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <perfsift/columns.h>

#include "base/large_vector.h"

namespace perfsift::v0::detail {

struct ColumnsState {
  UnsetVector<std::uint64_t> time, weight, period, ip, addr, latency;
  UnsetVector<std::int32_t> pid, tid, cpu;
  UnsetVector<std::uint32_t> event, comm, stack;
  UnsetVector<std::uint8_t> mode;
  LargeVector<std::uint64_t> stack_starts;
  LargeVector<std::uint32_t> stack_frames;
  std::vector<std::uint32_t> frame_function, frame_binary, frame_file, frame_line;
  std::vector<std::uint64_t> frame_address;
  std::vector<std::uint8_t> frame_kind, frame_inlined, frame_named;
  std::string name_bytes;
  std::vector<std::uint64_t> name_starts;
};

}  // namespace perfsift::v0::detail
