// The meaning of Arm SPE records on the processor that made them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reader/auxtrace/spe_records.h"
#include "reader/records/auxtrace.h"

namespace perfsift::reader {

// One CPU as perf record describes it.
struct SpeCpu {
  std::uint64_t number = 0;
  std::uint64_t midr = 0;               // the Main ID Register: which processor
  std::uint64_t recordable_events = 0;  // bits of the events packet that the CPU knows
};

// The private words of an AUXTRACE_INFO record: enum in tools/perf/util/arm-spe.h.
struct SpeSettings {
  std::uint32_t pmu_type = 0;  // EventAttr::type of the SPE event
  std::vector<SpeCpu> cpus;    // since perf 6.14; earlier the header's CPUID speaks for all CPUs
};

inline constexpr std::uint32_t auxtrace_type_spe = 4;  // PERF_AUXTRACE_ARM_SPE

// Nothing when the words are too few or contradict each other.
std::optional<SpeSettings> decode_spe_settings(const AuxtraceInfo& info);

struct SpeEncoding;  // of data sources

// The properties of a processor that decide the meaning of data sources. Lives as long as the program.
struct SpeProcessor {
  const SpeEncoding* encoding = nullptr;  // nullptr: unknown
  std::uint64_t recordable_events = 0;
};

// `cpu`: -1 where a trace is that of a thread. `cpu_id`: CPUID of the header.
SpeProcessor spe_processor(const SpeSettings& settings, std::string_view cpu_id, std::int32_t cpu);

// perf_mem_data_src of a record as perf 7 makes it: arm_spe__synth_data_source() in tools/perf/util/arm-spe.c. 0: the
// operation is no access to memory.
std::uint64_t spe_data_source(const SpeRecord& record, const SpeProcessor& processor);

}  // namespace perfsift::reader
