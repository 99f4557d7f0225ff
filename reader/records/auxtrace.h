// Records about hardware traces (Intel PT, Arm SPE, …): the kernel's about the AUX area, and perf's about the stored
// trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reader/format/record.h"

namespace perfsift::reader {

// PERF_RECORD_AUX: new data in the AUX area.
struct Aux {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t flags = 0;  // PERF_AUX_FLAG_*

  bool truncated() const { return (flags & 1) != 0; }  // some data found no room
  bool overwrite() const { return (flags & 2) != 0; }  // a snapshot of a buffer that wraps
  bool partial() const { return (flags & 4) != 0; }    // the data has gaps
  bool collision() const { return (flags & 8) != 0; }  // samples collided with others
};

// PERF_RECORD_ITRACE_START: the thread whose instructions are traced from here on.
struct ItraceStart {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
};

// PERF_RECORD_AUX_OUTPUT_HW_ID: the number that a hardware trace gives to the event of this record.
struct AuxOutputHwId {
  std::uint64_t hw_id = 0;
};

std::optional<Aux> decode_aux(const Record& record);
std::optional<ItraceStart> decode_itrace_start(const Record& record);
std::optional<AuxOutputHwId> decode_aux_output_hw_id(const Record& record);

// PERF_RECORD_AUXTRACE_INFO: the kind of hardware trace and its settings.
struct AuxtraceInfo {
  std::uint32_t type = 0;               // enum auxtrace_type: 1 Intel PT, 2 Intel BTS, 3 CoreSight, 4 Arm SPE, …
  std::vector<std::uint64_t> settings;  // their meaning depends on the type
};

// PERF_RECORD_AUXTRACE: a piece of trace. The data of the piece follows the record: see Record::trailing.
struct Auxtrace {
  std::uint64_t size = 0;  // of the data
  std::uint64_t offset = 0;
  std::uint64_t reference = 0;
  std::uint32_t index = 0;
  std::int32_t tid = -1;
  std::int32_t cpu = -1;
};

// PERF_RECORD_AUXTRACE_ERROR: a part of a trace that could not be decoded; `perf inject` writes these records.
struct AuxtraceError {
  std::uint32_t type = 0;
  std::uint32_t code = 0;
  std::int32_t cpu = -1;
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::uint64_t ip = 0;
  std::optional<std::uint64_t> time;
  std::string_view message;      // in the record
  std::int32_t machine_pid = 0;  // for a guest: the process that runs the guest, and the guest's CPU
  std::int32_t vcpu = -1;
};

std::optional<AuxtraceInfo> decode_auxtrace_info(const Record& record);
std::optional<Auxtrace> decode_auxtrace(const Record& record);
std::optional<AuxtraceError> decode_auxtrace_error(const Record& record);

}  // namespace perfsift::reader
