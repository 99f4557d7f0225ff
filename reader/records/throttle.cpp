#include "reader/records/throttle.h"

namespace perfsift::reader {

std::optional<Throttle> decode_throttle(const Record& record) {
  auto in = record.reader();
  const Throttle throttle{.time = in.u64(), .id = in.u64(), .stream_id = in.u64()};
  return in.ok() ? std::optional(throttle) : std::nullopt;
}

}  // namespace perfsift::reader
