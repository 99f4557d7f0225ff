// The record around a callchain: found where the sample is in it, and nowhere else.

#include "dlfilters/module/sample_record.h"

#include <functional>

#include <gtest/gtest.h>

#include "tests/support/bytes.h"

namespace perfsift::dlfilter {
namespace {

namespace bit = reader::sample_bit;

constexpr std::uint32_t sample_type = 9;  // PERF_RECORD_SAMPLE
constexpr std::uint16_t user = 2;         // PERF_RECORD_MISC_USER
constexpr std::size_t callchain_at = 8 + 9 * 8 + 8;

// A record with every field in front of its callchain, and what perf shows of it.
struct Shown {
  Shown() {
    const auto payload = test::BytesBuilder()
                             .u64(77)      // IDENTIFIER
                             .u64(0x1004)  // IP
                             .u32(12)
                             .u32(13)      // TID
                             .u64(5000)    // TIME
                             .u64(0xadd0)  // ADDR
                             .u64(77)      // ID
                             .u64(88)      // STREAM_ID
                             .u32(3)
                             .u32(0xabcd)  // CPU, and what is reserved
                             .u64(250)     // PERIOD
                             .u64(2)
                             .u64(0x1004)
                             .u64(0x2004)  // CALLCHAIN
                             .u64(0x52)    // what comes behind it
                             .take();
    record = test::BytesBuilder().record(sample_type, user, payload).take();
    sample.misc = user;
    sample.id = 77;
    sample.ip = 0x1004;
    sample.pid = 12;
    sample.tid = 13;
    sample.time = 5000;
    sample.addr = 0xadd0;
    sample.stream_id = 88;
    sample.cpu = 3;
    sample.period = 250;
    sample.raw_callchain_nr = 2;
    attr.sample_type = bit::identifier | bit::ip | bit::tid | bit::time | bit::addr | bit::id | bit::stream_id |
                       bit::cpu | bit::period | bit::callchain;
  }

  std::optional<reader::Record> found() {
    sample.raw_callchain = reinterpret_cast<const std::uint64_t*>(record.data() + callchain_at);
    return record_of(sample, attr);
  }
  void write(std::size_t at, std::uint64_t value) { std::memcpy(record.data() + at, &value, sizeof value); }

  std::vector<std::byte> record;
  Sample sample{};
  reader::EventAttr attr;
};

TEST(SampleRecord, IsWhatLiesAroundTheCallchain) {
  Shown shown;
  const auto found = shown.found();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->payload.data(), shown.record.data() + 8);
  EXPECT_EQ(found->payload.size(), 13 * 8U);
  EXPECT_EQ(found->header.size, 14 * 8);
  EXPECT_EQ(found->header.misc, user);
}

TEST(SampleRecord, HasOnlyTheFieldsThatWereRecorded) {
  Shown shown;
  shown.attr.sample_type = bit::ip | bit::callchain;
  shown.record = test::BytesBuilder()
                     .zeros(callchain_at - 3 * 8)
                     .u32(sample_type)
                     .u16(user)
                     .u16(32)
                     .u64(0x1004)
                     .u64(2)
                     .zeros(16)
                     .take();
  const auto found = shown.found();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->payload.data(), shown.record.data() + callchain_at - 2 * 8);
}

// Whatever of it is not what perf shows, it is another record, or none.
TEST(SampleRecord, IsRefusedWhereAnyFieldIsAnother) {
  for (std::size_t at = 0; at < callchain_at; at += 4) {
    const bool is_reserved = at == 8 + 7 * 8 + 4;
    const bool is_size = at == 4;  // and misc, which is looked at
    Shown shown;
    std::uint32_t value = 0;
    std::memcpy(&value, shown.record.data() + at, sizeof value);
    value ^= is_size ? 0x8 : 0x10;
    std::memcpy(shown.record.data() + at, &value, sizeof value);
    EXPECT_EQ(shown.found().has_value(), is_reserved) << "at " << at;
  }
}

TEST(SampleRecord, IsRefusedWhereItEndsBeforeItsCallchain) {
  Shown shown;
  shown.record[6] = std::byte{callchain_at - 8};
  EXPECT_FALSE(shown.found());
}

TEST(SampleRecord, IsRefusedWithCountersWhoseNumberIsNotKnown) {
  Shown shown;
  shown.attr.sample_type |= bit::read;
  EXPECT_FALSE(shown.found());
}

TEST(SampleRecord, IsNotThereWithoutACallchain) { EXPECT_FALSE(record_of(Sample{}, reader::EventAttr{})); }

}  // namespace
}  // namespace perfsift::dlfilter
