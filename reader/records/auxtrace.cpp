#include "reader/records/auxtrace.h"

#include <algorithm>

#include "reader/format/counted_list.h"

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

std::optional<AuxtraceInfo> decode_auxtrace_info(const Record& record) {
  auto in = record.reader();
  AuxtraceInfo info{.type = in.u32()};
  in.skip(4);
  info.settings = read_u64s(in, in.remaining() / 8);
  return in.ok() ? std::optional(std::move(info)) : std::nullopt;
}

std::optional<Auxtrace> decode_auxtrace(const Record& record) {
  auto in = record.reader();
  const Auxtrace trace{
      .size = in.u64(),
      .offset = in.u64(),
      .reference = in.u64(),
      .index = in.u32(),
      .tid = in.i32(),
      .cpu = in.i32(),
  };
  return in.ok() ? std::optional(trace) : std::nullopt;
}

// The record grew in the middle: from `format` 1 on a time comes before the message, from 2 on a guest comes after the
// message. A message at the end of the record is cut after its NUL (auxtrace_synth_error() in
// tools/perf/util/auxtrace.c).
std::optional<AuxtraceError> decode_auxtrace_error(const Record& record) {
  constexpr std::size_t message_size = 64;
  auto in = record.reader();
  AuxtraceError error{.type = in.u32(), .code = in.u32(), .cpu = in.i32(), .pid = in.i32(), .tid = in.i32()};
  const std::uint32_t format = in.u32();
  error.ip = in.u64();
  if (format >= 1) error.time = in.u64();
  error.message = c_string(in.bytes(format >= 2 ? message_size : std::min(message_size, in.remaining())));
  if (format >= 2) error.machine_pid = in.i32(), error.vcpu = in.i32();
  return in.ok() ? std::optional(error) : std::nullopt;
}

}  // namespace perfsift::reader
