// The samples of waits that were measured in the kernel: see reader/format/measured_waits.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/offcpu/sched_event.h"
#include "analysis/offcpu/sched_feed.h"
#include "analysis/offcpu/sched_tracepoint.h"
#include "reader/format/measured_waits.h"
#include "reader/tracepoint.h"

namespace perfsift::offcpu {

// The places of the fields in the raw data of one of these tracepoints.
struct MeasuredLayout {
  const reader::MeasuredTracepoint* tracepoint = nullptr;
  std::vector<RawField> fields;  // in the order of tracepoint->fields

  // Nothing: the raw data are too short.
  std::optional<std::vector<std::uint64_t>> read(Bytes raw) const;
};

// Nothing: the tracepoint is another.
std::optional<MeasuredLayout> measured_layout(const reader::TracepointFormat& format, ByteOrder order);

// The fields of a sample of perfsift:wait. Thread and stack are not among them.
MeasuredWaits measured_waits(const std::vector<std::uint64_t>& values);
// The losses, and the cost, in the fields of a sample of perfsift:wait_table.
MeasuredLosses measured_losses(const std::vector<std::uint64_t>& values);
MeasuringCost measuring_cost(const std::vector<std::uint64_t>& values);

}  // namespace perfsift::offcpu
