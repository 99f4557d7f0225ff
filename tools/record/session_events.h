// The events of a session for those who read its records.
#pragma once

#include "reader/event_table.h"
#include "record/session.h"

namespace perfsift::tools {

inline void add_events(const record::Session& session, reader::EventTable& table) {
  for (std::size_t i = 0; i < session.events().size(); ++i) {
    const reader::EventEntry& entry = session.events()[i];
    if (const auto attr = reader::decode_event_attr(entry.attr, ByteOrder::native))
      table.add(*attr, entry.ids).name = session.event_names()[i];
  }
}

}  // namespace perfsift::tools
