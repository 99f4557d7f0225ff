#include "reader/records/loss.h"

namespace perfsift::reader {

std::optional<Lost> decode_lost(const Record& record) {
  auto in = record.reader();
  const Lost lost{.id = in.u64(), .lost = in.u64()};
  return in.ok() ? std::optional(lost) : std::nullopt;
}

std::optional<LostSamples> decode_lost_samples(const Record& record) {
  auto in = record.reader();
  const LostSamples lost{.lost = in.u64(), .dropped_by_bpf = (record.header.misc & misc::lost_samples_bpf) != 0};
  return in.ok() ? std::optional(lost) : std::nullopt;
}

std::optional<Throttle> decode_throttle(const Record& record) {
  auto in = record.reader();
  const Throttle throttle{.time = in.u64(), .id = in.u64(), .stream_id = in.u64()};
  return in.ok() ? std::optional(throttle) : std::nullopt;
}

}  // namespace perfsift::reader
