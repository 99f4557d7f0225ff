// Recordings of AMD's IBS in the form of perf record --raw-samples. The registers of sampled operations and fetches
// come from the model of a machine with caches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/memory_recording.h"

namespace perfsift::test {

struct IbsMachine {
  // Zen 4. Otherwise Zen 2, which has coarse data sources.
  bool zen4 = true;
  // Zen 6: filters for latencies and streaming stores, sizes of pages, remote sockets.
  bool newest = false;
  // Whether samples of ibs_op also have ADDR, WEIGHT_STRUCT, DATA_SRC and PHYS_ADDR, as the kernel sets them.
  bool fields = false;
  // Whether all bits are random, for operations and fetches that no processor makes.
  bool random = false;
  std::string cpu_id = zen4 ? "AuthenticAMD,25,17,1" : "AuthenticAMD,23,49,0";

  // IBS_CAPS_*
  std::uint32_t capabilities() const;
};

// The registers of the unit for operations: MSRs C001_1033 to C001_1039, and C001_103B.
struct IbsOpRegisters {
  std::uint64_t control = 1u << 17 | 1u << 18;  // enabled, valid
  std::uint64_t instruction = 0, data = 0, data_2 = 0, data_3 = 0, linear = 0, physical = 0, target = 0;
};
// MSRs C001_1030 to C001_1032, and C001_103C.
struct IbsFetchRegisters {
  std::uint64_t control = std::uint64_t{3} << 48;  // enabled, valid
  std::uint64_t linear = 0, physical = 0, extension = 0;
};

// The raw data of a sample, without its size.
std::vector<std::byte> ibs_raw(std::uint32_t capabilities, const IbsOpRegisters& registers);
std::vector<std::byte> ibs_raw(std::uint32_t capabilities, const IbsFetchRegisters& registers);

// Each access is a sample of ibs_op. Every eighth access is followed by a branch, and every eighth by a sample of
// ibs_fetch. Bits that the model does not define are random.
std::vector<std::byte> ibs_recording(const IbsMachine& machine, const std::vector<ModelAccess>& accesses,
                                     const std::vector<ModelMapping>& mappings, const MemoryMachine& memory);
// A recording of one sample of ibs_op and one of ibs_fetch, with this raw data.
std::vector<std::byte> ibs_recording_of(const std::string& cpu_id, Bytes raw);
// The data source that the kernel would write for an access.
std::uint64_t data_source_of(const IbsMachine& machine, const ModelAccess& access);

}  // namespace perfsift::test
