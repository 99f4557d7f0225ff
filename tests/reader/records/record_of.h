// Records for the tests of their decoders.
#pragma once

#include <gtest/gtest.h>

#include "reader/format/record.h"
#include "tests/support/bytes.h"

namespace perfsift::reader {

// A record with this payload. Lives as long as `payload`.
inline Record record_of(RecordType type, std::uint16_t misc, const test::BytesBuilder& payload,
                        ByteOrder order = ByteOrder::native) {
  return {.header = {.type = type, .misc = misc, .size = static_cast<std::uint16_t>(payload.size() + 8)},
          .payload = payload.view(),
          .order = order};
}

// A decoder reads records of both byte orders.
class RecordTest : public ::testing::TestWithParam<ByteOrder> {
 protected:
  test::BytesBuilder payload() const { return test::BytesBuilder(GetParam()); }
  Record record(RecordType type, std::uint16_t misc, const test::BytesBuilder& bytes) const {
    return record_of(type, misc, bytes, GetParam());
  }
  Record record(RecordType type, const test::BytesBuilder& bytes) const { return record(type, 0, bytes); }
};

}  // namespace perfsift::reader
