// Records about hardware traces, encoded. Layouts: include/uapi/linux/perf_event.h, and struct perf_record_auxtrace and
// perf_record_auxtrace_info in tools/lib/perf/include/perf/event.h.
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reader/writer/records/auxtrace.h"
#include "tests/reader/writer/records/encoded.h"

namespace perfsift::reader {
namespace {

class AuxtraceEncoder : public EncoderTest {
 protected:
  ByteOrder order() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, AuxtraceEncoder, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(AuxtraceEncoder, AuxHasTheBytesOfTheKernel) {
  auto expected = bytes();
  expected.u32(11).u16(0).u16(32).u64(0x1000).u64(0x200).u64(9);
  EXPECT_EQ(encode_aux({.offset = 0x1000, .size = 0x200, .flags = 9}, plain()), expected.take());
}

TEST_P(AuxtraceEncoder, AuxtraceHasTheBytesOfPerf) {
  auto expected = bytes();
  expected.u32(71).u16(0).u16(48).u64(16).u64(0x1234).u64(77).u32(3).u32(~0u).u32(2).u32(0);
  const Auxtrace trace{.size = 16, .offset = 0x1234, .reference = 77, .index = 3, .tid = -1, .cpu = 2};
  EXPECT_EQ(encode_auxtrace(trace, order()), expected.take());
}

TEST_P(AuxtraceEncoder, AuxtraceInfoIsReadBack) {
  const AuxtraceInfo info{.type = 4, .settings = {109, 0}};
  auto expected = bytes();
  expected.u32(70).u16(0).u16(32).u32(4).u32(0).u64(109).u64(0);
  const auto encoded = encode_auxtrace_info(info, order());
  EXPECT_EQ(encoded, expected.take());
  const auto read = decode_auxtrace_info(record(encoded));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->settings, info.settings);
}

TEST_P(AuxtraceEncoder, SettingsThatDoNotFitGiveNoBytes) {
  EXPECT_THAT(encode_auxtrace_info({.type = 4, .settings = std::vector<std::uint64_t>(8191)}, order()),
              ::testing::IsEmpty());
}

}  // namespace
}  // namespace perfsift::reader
