#include "reader/records/aux_area.h"

namespace perfsift::reader {

std::optional<Aux> decode_aux(const Record& record) {
  auto in = record.reader();
  const Aux aux{.offset = in.u64(), .size = in.u64(), .flags = in.u64()};
  return in.ok() ? std::optional(aux) : std::nullopt;
}

std::optional<ItraceStart> decode_itrace_start(const Record& record) {
  auto in = record.reader();
  const ItraceStart start{.pid = in.i32(), .tid = in.i32()};
  return in.ok() ? std::optional(start) : std::nullopt;
}

std::optional<AuxOutputHwId> decode_aux_output_hw_id(const Record& record) {
  auto in = record.reader();
  const AuxOutputHwId output{.hw_id = in.u64()};
  return in.ok() ? std::optional(output) : std::nullopt;
}

}  // namespace perfsift::reader
