// One memory access: a sample with the address of the data, the result of the access, and its latency.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/memory/data_place.h"
#include "analysis/samples/code_names.h"
#include "analysis/samples/memory_nodes.h"
#include "base/data_source.h"
#include "reader/recording.h"

namespace perfsift::analysis {

// Whether the samples of the event are memory accesses: the event records data addresses or data sources. Instruction
// fetches (ibs_fetch) and the auxiliary event of Intel's loads (mem-loads-aux) are not memory accesses.
bool is_memory_event(const reader::Event& event);
// Whether the event is the auxiliary event that Intel processors since Alder Lake and Sapphire Rapids need together
// with their loads. In a group that is read with each sample, its samples repeat those of the loads.
bool is_auxiliary(const reader::Event& event);

// is_memory_event() and is_auxiliary() for many samples: the result for each event is cached. Not thread-safe.
class MemoryEvents {
 public:
  bool contains(const reader::Event& event) {
    if (event.index >= known_.size()) known_.resize(event.index + 1);
    std::optional<bool>& known = known_[event.index];
    if (!known) known = is_memory_event(event);
    return *known;
  }

 private:
  std::vector<std::optional<bool>> known_;  // by index of the event; nothing: not computed yet
};

// The recorded facts of an access, which need no look-ups.
struct MemoryAccess {
  // The access of a sample. A software event or a breakpoint has no data source. A breakpoint on writes gives stores.
  static MemoryAccess of(const reader::Sample& sample);

  std::uint32_t event = 0;  // the index of the event
  std::uint64_t source_bits = 0;
  std::uint64_t address = 0;  // 0: not recorded
  // The latency in the unit of the processor, usually cycles; 0: not measured. See latency_meaning().
  std::uint64_t latency = 0;

  DataSource source() const { return DataSource(source_bits); }
  // The operation is in the lowest bits.
  bool is_load() const { return (source_bits & DataSource::op_load) != 0; }
  // perf treats an access with both bits as a load.
  bool is_store() const { return !is_load() && (source_bits & DataSource::op_store) != 0; }
  // Whether the sample is a memory access. Samples of other events of the recording, such as a clock, are not.
  bool is_access() const { return address != 0 || is_load() || is_store(); }
  // The weight of perf mem report: accesses without a latency count as 1.
  std::uint64_t weight() const { return latency != 0 ? latency : 1; }
};

// PERF_MEM_DATA_SRC_NONE of perf 6.1: all parts say "not available".
inline constexpr std::uint64_t no_data_source = 0x5080021;

}  // namespace perfsift::analysis
