// The header in pipe form. Layouts: tools/lib/perf/include/perf/event.h.
#include "reader/records/header_records.h"

#include <bit>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reader/records/record_of.h"

namespace perfsift::reader {
namespace {

using test::BytesBuilder;
using ::testing::ElementsAre;

using HeaderRecord = RecordTest;
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, HeaderRecord, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(HeaderRecord, HeaderAttrHasItsIdsBehindAnAttrOfAnySize) {
  const auto bytes = payload().u32(1).u32(72).u64(0).zeros(48).u64(0xc2).u64(31).u64(32);
  const auto header = decode_header_attr(record(RecordType::header_attr, bytes));
  ASSERT_TRUE(header);
  EXPECT_EQ(header->attr.type, 1u);
  EXPECT_EQ(header->attr.config2, 0xc2u);
  EXPECT_THAT(header->ids, ElementsAre(31, 32));
}

TEST_P(HeaderRecord, HeaderEventTypeTracingDataAndFeature) {
  EXPECT_EQ(decode_header_event_type(record(RecordType::header_event_type, payload().u64(7).padded("sched")))->name,
            "sched");
  EXPECT_EQ(decode_header_tracing_data(record(RecordType::header_tracing_data, payload().u32(15224)))->size, 15224u);
  const auto inside =
      decode_header_tracing_data(record(RecordType::header_tracing_data, payload().u32(3).text("abc").zeros(61)));
  EXPECT_EQ(inside->data.size(), 3u);

  const auto bytes = payload().u64(3).text("payload");
  const auto feature = decode_header_feature(record(RecordType::header_feature, bytes));
  ASSERT_TRUE(feature);
  EXPECT_EQ(feature->number, 3u);
  EXPECT_EQ(feature->data.size(), 7u);
  EXPECT_FALSE(feature->last());
  EXPECT_TRUE(decode_header_feature(record(RecordType::header_feature, payload().u64(32)))->last());
}

TEST_P(HeaderRecord, EventUpdateHasFourKinds) {
  const auto update = [this](const BytesBuilder& bytes) {
    return decode_event_update(record(RecordType::event_update, bytes)).value();
  };
  EXPECT_EQ(update(payload().u64(0).u64(5).padded("Joules")).text, "Joules");
  EXPECT_EQ(update(payload().u64(1).u64(5).u64(std::bit_cast<std::uint64_t>(0.25))).scale, 0.25);
  EXPECT_EQ(update(payload().u64(2).u64(5).padded("cycles:u")).id, 5u);
  EXPECT_THAT(update(payload().u64(3).u64(5).u16(0).u16(1).u16(7)).cpus.cpus, ElementsAre(7));
  EXPECT_EQ(update(payload().u64(4).u64(5)).id, 5u);
}

TEST_P(HeaderRecord, IdIndexKnowsGuestsInASecondTable) {
  auto bytes = payload().u64(2).u64(1).u64(2).u64(3).u64(4).u64(5).u64(6).u64(7).u64(~std::uint64_t{0});
  const auto host = decode_id_index(record(RecordType::id_index, bytes));
  ASSERT_TRUE(host);
  ASSERT_EQ(host->entries.size(), 2u);
  EXPECT_EQ(host->entries[0].id, 1u);
  EXPECT_EQ(host->entries[0].index, 2u);
  EXPECT_EQ(host->entries[0].cpu, 3);
  EXPECT_EQ(host->entries[0].tid, 4);
  EXPECT_EQ(host->entries[1].tid, -1);
  EXPECT_EQ(host->entries[1].machine_pid, 0);

  bytes.u64(100).u64(0).u64(200).u64(1);
  const auto guest = decode_id_index(record(RecordType::id_index, bytes));
  ASSERT_TRUE(guest);
  EXPECT_EQ(guest->entries[1].machine_pid, 200);
  EXPECT_EQ(guest->entries[1].vcpu, 1);
}

TEST_P(HeaderRecord, TimeConvGrewItsSecondHalf) {
  auto bytes = payload().u64(31).u64(1000).u64(7);
  const auto old_record = decode_time_conv(record(RecordType::time_conv, bytes));
  ASSERT_TRUE(old_record);
  EXPECT_EQ(old_record->shift, 31u);
  EXPECT_EQ(old_record->multiplier, 1000u);
  EXPECT_EQ(old_record->zero, 7u);
  EXPECT_FALSE(old_record->short_counter);

  bytes.u64(8).u64(0xffffff).u8(1).u8(0).zeros(6);
  const auto new_record = decode_time_conv(record(RecordType::time_conv, bytes));
  ASSERT_TRUE(new_record && new_record->short_counter);
  EXPECT_EQ(new_record->short_counter->mask, 0xffffffu);
  EXPECT_TRUE(new_record->short_counter->has_time_zero);
  EXPECT_FALSE(new_record->short_counter->has_short_time);
}

}  // namespace
}  // namespace perfsift::reader
