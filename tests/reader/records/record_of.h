// Records for the tests of their decoders.
#pragma once

#include "reader/record.h"
#include "tests/support/bytes.h"

namespace perfsift::reader {

// A record with this payload; lives as long as `payload`.
inline Record record_of(RecordType type, std::uint16_t misc, const test::BytesBuilder& payload,
                        ByteOrder order = ByteOrder::native) {
  return {.header = {.type = type, .misc = misc, .size = static_cast<std::uint16_t>(payload.size() + 8)},
          .payload = payload.view(),
          .order = order};
}

}  // namespace perfsift::reader
