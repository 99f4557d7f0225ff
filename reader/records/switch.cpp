#include "reader/records/switch.h"

namespace perfsift::reader {

std::optional<Switch> decode_switch(const Record& record) {
  auto in = record.reader();
  Switch event{
      .out = (record.header.misc & misc::switch_out) != 0,
      .preempted = (record.header.misc & misc::switch_out_preempt) != 0,
  };
  if (record.header.type == RecordType::switch_cpu_wide) event.other = Switch::Other{.pid = in.i32(), .tid = in.i32()};
  return in.ok() ? std::optional(event) : std::nullopt;
}

}  // namespace perfsift::reader
