// PERF_RECORD_AUXTRACE_INFO, PERF_RECORD_AUXTRACE and PERF_RECORD_AUXTRACE_ERROR: hardware traces as perf stores them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reader/record.h"

namespace perfsift::reader {

struct AuxtraceInfo {
  std::uint32_t type = 0;               // enum auxtrace_type: 1 Intel PT, 2 Intel BTS, 3 CoreSight, 4 Arm SPE, …
  std::vector<std::uint64_t> settings;  // what they mean depends on the type
};

// A piece of trace. The piece itself is record.trailing: it follows the record.
struct Auxtrace {
  std::uint64_t size = 0;  // of what follows
  std::uint64_t offset = 0;
  std::uint64_t reference = 0;
  std::uint32_t index = 0;
  std::int32_t tid = -1;
  std::int32_t cpu = -1;
};

// Something about a trace could not be decoded; written by `perf inject`.
struct AuxtraceError {
  std::uint32_t type = 0;
  std::uint32_t code = 0;
  std::int32_t cpu = -1;
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::uint64_t ip = 0;
  std::optional<std::uint64_t> time;
  std::string_view message;      // in the record
  std::int32_t machine_pid = 0;  // of a guest: who runs it, and on which of its CPUs
  std::int32_t vcpu = -1;
};

std::optional<AuxtraceInfo> decode_auxtrace_info(const Record& record);
std::optional<Auxtrace> decode_auxtrace(const Record& record);
std::optional<AuxtraceError> decode_auxtrace_error(const Record& record);

}  // namespace perfsift::reader
