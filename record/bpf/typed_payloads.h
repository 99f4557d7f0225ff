// Turns the samples of a PayloadSource into those of a made tracepoint, whose fields have names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reader/format/event.h"
#include "record/bpf/payload_format.h"
#include "record/bpf/payload_layout.h"
#include "record/rings/record_sink.h"

namespace perfsift::record {

// The number of bytes of raw data in a sample of a PayloadSource: a payload of 8 bytes less, up to as many, gives it.
// Nothing: the record is no sample of the attr.
std::optional<std::size_t> raw_size_of(const reader::EventAttr& attr, Bytes record);
// Whether samples with payloads of `payload` bytes have raw data of `raw` bytes: the kernel fills them up so that the
// next field is aligned (bpf_perf_event_output() and perf_prepare_sample()).
bool has_raw_size(std::size_t payload, std::size_t raw);

// The event of the samples that TypedPayloads makes.
reader::EventAttr typed_attr(const reader::EventAttr& attr);

// Not thread-safe.
class TypedPayloads : public RecordSink {
 public:
  // `attr`: of the source. All must outlive this object.
  TypedPayloads(const reader::EventAttr& attr, const PayloadFormat& format, RecordSink& to)
      : attr_(attr), format_(format), to_(to) {}

  void records(std::size_t ring, Bytes records) override;
  void round() override { to_.round(); }

  // Samples whose payload is shorter than the type, so that the last fields have no values; and longer.
  std::uint64_t shorter() const { return shorter_; }
  std::uint64_t longer() const { return longer_; }

 private:
  void append_typed(Bytes record);

  const reader::EventAttr& attr_;
  const PayloadFormat& format_;
  RecordSink& to_;
  std::vector<std::byte> out_, raw_;
  std::uint64_t shorter_ = 0, longer_ = 0;
};

}  // namespace perfsift::record
