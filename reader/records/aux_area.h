// PERF_RECORD_AUX, PERF_RECORD_ITRACE_START and PERF_RECORD_AUX_OUTPUT_HW_ID: hardware traces (Intel PT, Arm SPE, …)
// and who they are about.
#pragma once

#include <cstdint>
#include <optional>

#include "reader/record.h"

namespace perfsift::reader {

// New data arrived in the AUX area.
struct Aux {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t flags = 0;  // PERF_AUX_FLAG_*

  bool truncated() const { return (flags & 1) != 0; }  // some of it found no room
  bool overwrite() const { return (flags & 2) != 0; }  // a snapshot of a buffer that wraps
  bool partial() const { return (flags & 4) != 0; }    // there are gaps in it
  bool collision() const { return (flags & 8) != 0; }  // samples collided with others
};

struct ItraceStart {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
};

struct AuxOutputHwId {
  std::uint64_t hw_id = 0;
};

std::optional<Aux> decode_aux(const Record& record);
std::optional<ItraceStart> decode_itrace_start(const Record& record);
std::optional<AuxOutputHwId> decode_aux_output_hw_id(const Record& record);

}  // namespace perfsift::reader
