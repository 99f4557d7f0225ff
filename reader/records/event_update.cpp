#include "reader/records/event_update.h"

#include <bit>

namespace perfsift::reader {

std::optional<EventUpdate> decode_event_update(const Record& record) {
  auto in = record.reader();
  EventUpdate update{.kind = static_cast<EventUpdate::Kind>(in.u64()), .id = in.u64()};
  switch (update.kind) {
    case EventUpdate::Kind::unit:
    case EventUpdate::Kind::name:
      update.text = in.cstring();
      break;
    case EventUpdate::Kind::scale:
      update.scale = std::bit_cast<double>(in.u64());
      break;
    case EventUpdate::Kind::cpus:
      update.cpus = read_cpu_map(in);
      break;
  }
  return in.ok() ? std::optional(std::move(update)) : std::nullopt;
}

}  // namespace perfsift::reader
