// The load or store of a sampled operation, in the terms that all processors share.
//
// Kernels since 6.1 fill PERF_SAMPLE_DATA_SRC, WEIGHT, ADDR and PHYS_ADDR from the registers, if perf record asks for
// these fields. A recording with the registers only (perf record --raw-samples) has the same information.
#pragma once

#include <cstdint>

#include "reader/ibs/ibs_registers.h"
#include "reader/ibs/ibs_unit.h"

namespace perfsift::reader {

struct IbsAccess {
  std::uint64_t data_source = 0;        // union perf_mem_data_src
  std::uint64_t address = 0;            // 0: not known
  std::uint64_t physical_address = 0;   // 0: not known
  std::uint32_t latency = 0;            // of a load that missed the L1, in cycles
  std::uint16_t tag_to_retirement = 0;  // of such a load, in cycles
};

// perf_ibs_parse_ld_st_data() in arch/x86/events/amd/ibs.c.
IbsAccess ibs_access(const IbsOp& op, const IbsProcessor& processor);
// The access of a sample without registers, or of an operation that is neither a load nor a store.
IbsAccess no_ibs_access();

}  // namespace perfsift::reader
