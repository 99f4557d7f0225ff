#include "reader/writer/records/loss.h"

namespace perfsift::reader {

namespace {

std::vector<std::byte> encode_any_throttle(RecordType type, const Throttle& throttle, const Encoding& encoding) {
  ByteWriter out = encoding.payload();
  out.u64(throttle.time).u64(throttle.id).u64(throttle.stream_id);
  return encoded_record(type, 0, out, encoding);
}

}  // namespace

std::vector<std::byte> encode_lost(const Lost& lost, const Encoding& encoding) {
  ByteWriter out = encoding.payload();
  out.u64(lost.id).u64(lost.lost);
  return encoded_record(RecordType::lost, 0, out, encoding);
}

std::vector<std::byte> encode_lost_samples(const LostSamples& lost, const Encoding& encoding) {
  ByteWriter out = encoding.payload();
  out.u64(lost.lost);
  const std::uint16_t bits = lost.dropped_by_bpf ? misc::lost_samples_bpf : std::uint16_t{0};
  return encoded_record(RecordType::lost_samples, bits, out, encoding);
}

std::vector<std::byte> encode_throttle(const Throttle& throttle, const Encoding& encoding) {
  return encode_any_throttle(RecordType::throttle, throttle, encoding);
}

std::vector<std::byte> encode_unthrottle(const Throttle& throttle, const Encoding& encoding) {
  return encode_any_throttle(RecordType::unthrottle, throttle, encoding);
}

}  // namespace perfsift::reader
