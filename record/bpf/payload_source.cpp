#include "record/bpf/payload_source.h"

#include "record/bpf/perf_array_source.h"
#include "record/bpf/ring_buffer_source.h"

namespace perfsift::record {

std::unique_ptr<PayloadSource> open_payload_source(RingMap map, const PayloadSourcePlan& plan) {
  if (map.info.kind == RingMapKind::ring_buffer) return std::make_unique<RingBufferSource>(std::move(map), plan);
  return std::make_unique<PerfArraySource>(std::move(map), plan);
}

}  // namespace perfsift::record
