// Records made by encoders, for the tests of encoders.
#pragma once

#include <vector>

#include <gtest/gtest.h>

#include "reader/format/record.h"
#include "reader/writer/records/encoded_record.h"
#include "tests/support/bytes.h"

namespace perfsift::reader {

// The record that `bytes` begin with. Lives as long as `bytes`.
inline Record first_record(const std::vector<std::byte>& bytes, ByteOrder order) {
  ByteReader in(bytes, order);
  Record record{.order = order};
  record.header.type = static_cast<RecordType>(in.u32());
  record.header.misc = in.u16();
  record.header.size = in.u16();
  record.payload = in.bytes(record.header.size - record_header_size);
  EXPECT_TRUE(in.ok());
  return record;
}

// Encoders write both byte orders.
class EncoderTest : public ::testing::TestWithParam<ByteOrder> {
 protected:
  test::BytesBuilder bytes() const { return test::BytesBuilder(GetParam()); }
  Encoding plain() const { return {.order = GetParam(), .trailer = {}}; }
  Record record(const std::vector<std::byte>& bytes) const { return first_record(bytes, GetParam()); }
};

}  // namespace perfsift::reader
