#include "reader/records/time_conv.h"

namespace perfsift::reader {

std::optional<TimeConv> decode_time_conv(const Record& record) {
  auto in = record.reader();
  TimeConv conversion{.shift = in.u64(), .multiplier = in.u64(), .zero = in.u64()};
  if (in.remaining() != 0) {
    conversion.short_counter = TimeConv::ShortCounter{
        .cycles = in.u64(), .mask = in.u64(), .has_time_zero = in.u8() != 0, .has_short_time = in.u8() != 0};
  }
  return in.ok() ? std::optional(conversion) : std::nullopt;
}

}  // namespace perfsift::reader
