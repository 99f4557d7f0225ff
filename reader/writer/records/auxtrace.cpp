#include "reader/writer/records/auxtrace.h"

namespace perfsift::reader {

std::vector<std::byte> encode_aux(const Aux& aux, const Encoding& encoding) {
  ByteWriter out = encoding.payload();
  out.u64(aux.offset).u64(aux.size).u64(aux.flags);
  return encoded_record(RecordType::aux, 0, out, encoding);
}

std::vector<std::byte> encode_auxtrace_info(const AuxtraceInfo& info, ByteOrder order) {
  ByteWriter out(order);
  out.u32(info.type).u32(0);
  for (const std::uint64_t setting : info.settings) out.u64(setting);
  return encoded_record(RecordType::auxtrace_info, out, order);
}

std::vector<std::byte> encode_auxtrace(const Auxtrace& trace, ByteOrder order) {
  ByteWriter out(order);
  out.u64(trace.size).u64(trace.offset).u64(trace.reference);
  out.u32(trace.index).u32(as_u32(trace.tid)).u32(as_u32(trace.cpu)).u32(0);
  return encoded_record(RecordType::auxtrace, out, order);
}

}  // namespace perfsift::reader
