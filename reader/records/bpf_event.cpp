#include "reader/records/bpf_event.h"

#include <algorithm>

namespace perfsift::reader {

std::optional<BpfEvent> decode_bpf_event(const Record& record) {
  auto in = record.reader();
  BpfEvent event{
      .kind = static_cast<BpfEvent::Kind>(in.u16()),
      .flags = in.u16(),
      .id = in.u32(),
  };
  std::ranges::copy(in.bytes(event.tag.size()), event.tag.begin());
  return in.ok() ? std::optional(event) : std::nullopt;
}

}  // namespace perfsift::reader
