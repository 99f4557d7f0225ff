// The trailer and the limits of encoded records. Layout: perf_event__output_id_sample() in kernel/events/core.c.
#include "reader/writer/records/encoded_record.h"

#include <string>

#include <gtest/gtest.h>

#include "reader/format/sample.h"
#include "reader/writer/records/process.h"
#include "tests/reader/writer/records/encoded.h"

namespace perfsift::reader {
namespace {

namespace bit = sample_bit;
constexpr std::uint64_t every_trailer_field =
    bit::tid | bit::time | bit::id | bit::stream_id | bit::cpu | bit::identifier;

using EncodedRecord = EncoderTest;
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, EncodedRecord, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(EncodedRecord, TheTrailerHasTheFieldsOfTheSampleTypeInTheKernelsOrder) {
  const Trailer trailer{.sample_type = every_trailer_field | bit::ip | bit::period,
                        .id = {.pid = 1, .tid = 2, .time = 3, .id = 4, .stream_id = 5, .cpu = 6}};
  const auto record = encode_switch({}, {.order = GetParam(), .trailer = trailer});
  const auto expected = bytes().u32(14).u16(0).u16(56).u32(1).u32(2).u64(3).u64(4).u64(5).u32(6).u32(0).u64(4).take();
  EXPECT_EQ(record, expected);
}

TEST_P(EncodedRecord, TheTrailerIsReadBackWithEachSetOfFields) {
  for (std::uint64_t type = 0; type < bit::identifier << 1; type += bit::tid) {
    if ((type & ~every_trailer_field) != 0) continue;
    const Trailer trailer{.sample_type = type,
                          .id = {.pid = 1, .tid = 2, .time = 3, .id = 4, .stream_id = 5, .cpu = 6}};
    const auto bytes = encode_comm({.pid = 7, .tid = 8, .name = "a"}, {.order = GetParam(), .trailer = trailer});
    EventAttr attr{.sample_type = type};
    attr.set(attr_flag::sample_id_all);
    const SampleId id = decode_sample_id(record(bytes), attr);
    EXPECT_EQ(id.tid, attr.has(bit::tid) ? 2 : -1);
    EXPECT_EQ(id.time, attr.has(bit::time) ? 3 : no_time);
    EXPECT_EQ(id.id, attr.has(bit::id | bit::identifier) ? 4u : 0u);
    EXPECT_EQ(id.stream_id, attr.has(bit::stream_id) ? 5u : 0u);
    EXPECT_EQ(id.cpu, attr.has(bit::cpu) ? 6 : -1);
    EXPECT_EQ(id.size + 8 + 8 + 8, bytes.size());
  }
}

TEST_P(EncodedRecord, TheTrailerOfMadeUpRecordsIsZeros) {
  const Encoding encoding{.order = GetParam(), .trailer = Trailer::zeros(every_trailer_field)};
  const auto record = encode_switch({}, encoding);
  EXPECT_EQ(record, bytes().u32(14).u16(0).u16(56).zeros(48).take());
}

TEST_P(EncodedRecord, ANameThatIsTooLongIsCut) {
  const std::string name(100'000, 'x');
  const auto bytes = encode_comm({.pid = 7, .tid = 8, .name = name}, plain());
  EXPECT_EQ(bytes.size(), 8u + 8 + 4096);
  const auto comm = decode_comm(record(bytes));
  ASSERT_TRUE(comm);
  EXPECT_EQ(comm->name, name.substr(0, 4095));
}

TEST_P(EncodedRecord, AListThatIsTooLongGivesNoBytes) {
  EXPECT_TRUE(encode_namespaces({.pid = 1, .tid = 1, .links = std::vector<NamespaceLink>(5000)}, plain()).empty());
}

}  // namespace
}  // namespace perfsift::reader
