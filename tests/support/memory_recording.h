// Recordings of memory accesses in the form of perf mem record, for several processors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/memory_model.h"
#include "tests/support/recording_builder.h"

namespace perfsift::test {

enum class MemoryPmu : std::uint8_t {
  intel,  // cpu/mem-loads,ldlat=30/P and cpu/mem-stores/P, WEIGHT_STRUCT: arch/x86/events/intel/ds.c
  amd,    // ibs_op//, WEIGHT: arch/x86/events/amd/ibs.c
  // The events of intel twice. The auxiliary event precedes the loads of big cores, and also has the samples of these
  // loads, as in a group that is read with each sample.
  hybrid,
  numbers_only,  // levels in mem_lvl_num only, as newer kernels may write them
};

// A mapping of the recorded program.
struct ModelMapping {
  std::uint64_t start = 0, size = 0, offset = 0;
  std::uint32_t protection = 0;  // PROT_*
  std::string path;
};

// Thread i is 1001 + i of process 1000, and its samples come from CPU i. CPUs 0 and 1 are in socket 0, the others in
// socket 1. `physical`: the offset of the pages' physical addresses to their virtual addresses, so that MEM_TOPOLOGY
// gives nodes. Node 1 begins at the physical address `node_1`.
struct MemoryMachine {
  std::int64_t physical = 0;
  std::uint64_t node_1 = 0;
};

inline constexpr std::int32_t model_process = 1000;

// A program for the model: an ELF file with the functions `update` and `lookup` and the variables `counters`, `total`,
// `scratch`, `prepared`, `summed` and `table`. The table has no initial value, so all except its first page is behind
// the file's mapping.
struct ModelFile {
  static constexpr std::uint64_t text = 0x401000, data = 0x404000, page = 0x1000;
  static constexpr std::uint64_t counters = data + 0x100, total = data + 0x140, scratch = data + 0x180;
  static constexpr std::uint64_t prepared = data + 0x280, summed = data + 0x2c0;
  static constexpr std::uint64_t table = data + page, table_size = 1 << 20;

  static std::vector<std::byte> image();
  static ModelProgram program();
  // `bss_in_file`: one mapping of the file also covers the table, which perf needs to name the table.
  static std::vector<ModelMapping> mappings(const std::string& path, bool bss_in_file);
  static MemoryMachine machine();
};

std::vector<std::byte> memory_recording(MemoryPmu pmu, const std::vector<ModelAccess>& accesses,
                                        const std::vector<ModelMapping>& mappings, const MemoryMachine& machine);
// Parts of such a recording: the header's features about the machine, and the records of the process, which end with
// {pid, tid, time, cpu, identifier}.
void add_model_machine(RecordingBuilder& in, std::string_view cpu_id, const MemoryMachine& machine);
void add_model_process(RecordingBuilder& in, const std::vector<ModelMapping>& mappings);
// The data source that the kernel would write for an access.
std::uint64_t data_source_of(MemoryPmu pmu, const ModelAccess& access);

}  // namespace perfsift::test
