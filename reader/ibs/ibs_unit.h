// AMD's Instruction-Based Sampling (IBS): the units of a processor that sample, and the processor, on whose errata the
// meaning of some bits depends.
#pragma once

#include <cstdint>
#include <string_view>

namespace perfsift::reader {

// The unit whose registers are the raw data of an event's samples.
enum class IbsUnit : std::uint8_t {
  none,
  fetch,  // samples fetches of instructions
  op,     // samples operations, among them loads and stores
};

// The unit of a PMU, by the PMU's name in the recording: evlist__has_amd_ibs() in tools/perf/util/amd-sample-raw.c.
IbsUnit ibs_unit(std::string_view pmu);

struct IbsProcessor {
  unsigned family = 0;  // 0: unknown
  unsigned model = 0;

  // Zen 3 servers: L2Miss, the data source and the number of open requests are wrong for prefetches and for misses
  // without a miss address buffer (erratum 1293), IcMiss is wrong (1238), and sizes of pages have other codes (1347).
  bool has_errata_of_zen3() const { return family == 0x19 && model < 0x10; }
  // Whether a cache reports that the line was modified: perf_ibs_cache_hit_st_valid() in arch/x86/events/amd/ibs.c.
  bool tells_modified_lines() const { return family != 0x19 || !(model < 0x10 || (model >= 0x20 && model < 0x60)); }
  // Whether the results of a fetch are valid only together with its physical address:
  // fetch_ctl_depends_on_phy_addr_valid() in perf 7.1's amd-sample-raw.c.
  bool needs_physical_address() const;
};

// `cpu_id`: CPUID of the header, such as "AuthenticAMD,25,1,1".
IbsProcessor ibs_processor(std::string_view cpu_id);

}  // namespace perfsift::reader
