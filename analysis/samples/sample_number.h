// Numbers that tell samples apart beyond their stack, thread, CPU and time: keys of reports.
#pragma once

#include <cstdint>
#include <optional>

#include "reader/features/features.h"
#include "reader/format/sample.h"

namespace perfsift::analysis {

enum class SampleNumber : std::uint8_t {
  socket,  // of the sample's CPU, by the feature CPU_TOPOLOGY
  local_weight,
  local_ins_lat,
  local_p_stage_cyc,
  code_page_size,  // bytes; 0: the kernel could not tell
  transaction,     // PERF_TXN_*
  addr,            // of the instruction
};

// `features`: of the sample's recording. Nothing: not recorded.
std::optional<std::uint64_t> number_of(SampleNumber number, const reader::Sample& sample,
                                       const reader::Features& features);

}  // namespace perfsift::analysis
