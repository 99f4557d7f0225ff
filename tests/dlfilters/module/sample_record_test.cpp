// The record around a callchain must be found only where the record belongs to the sample.

#include "dlfilters/module/sample_record.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/dlfilters/one_page.h"
#include "tests/support/bytes.h"
#include "tests/support/recording_builder.h"

namespace perfsift::dlfilter {
namespace {

namespace bit = reader::sample_bit;

constexpr std::uint32_t sample_record = 9;  // PERF_RECORD_SAMPLE
constexpr std::size_t callchain_at = 8 + 9 * 8 + 8;

// A record with every field before its callchain, and the sample that perf shows for it.
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
                             .u32(0xabcd)  // CPU, and a reserved word
                             .u64(250)     // PERIOD
                             .u64(2)
                             .u64(0x1004)
                             .u64(0x2004)  // CALLCHAIN
                             .u64(0x52)    // data behind the callchain
                             .take();
    record = test::in_one_page(test::BytesBuilder().record(sample_record, test::user_mode, payload).take());
    sample.misc = test::user_mode;
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
  EXPECT_EQ(found->header.misc, test::user_mode);
}

TEST(SampleRecord, HasOnlyTheFieldsThatWereRecorded) {
  Shown shown;
  shown.attr.sample_type = bit::ip | bit::callchain;
  shown.record = test::in_one_page(test::BytesBuilder()
                                       .zeros(callchain_at - 3 * 8)
                                       .u32(sample_record)
                                       .u16(test::user_mode)
                                       .u16(32)
                                       .u64(0x1004)
                                       .u64(2)
                                       .zeros(16)
                                       .take());
  const auto found = shown.found();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->payload.data(), shown.record.data() + callchain_at - 2 * 8);
}

// If any field differs from the sample that perf shows, the record is another record, or not a record.
TEST(SampleRecord, IsRefusedWhereAnyFieldIsAnother) {
  for (std::size_t at = 0; at < callchain_at; at += 4) {
    const bool is_reserved = at == 8 + 7 * 8 + 4;
    const bool is_size = at == 4;  // and misc, which is also compared
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

// A record with counters; perf shows the counter with the id 72.
struct ShownCounter : Shown {
  explicit ShownCounter(std::uint64_t read_format, const test::BytesBuilder& counters) {
    const auto payload = test::BytesBuilder()
                             .u64(0x1004)
                             .u32(12)
                             .u32(13)    // TID
                             .u64(5000)  // TIME
                             .u64(71)    // ID of the first counter
                             .u64(100)   // PERIOD of the first counter
                             .bytes(counters.view())
                             .u64(2)
                             .u64(0x1004)
                             .u64(0x2004)  // CALLCHAIN
                             .u64(0x52)
                             .take();
    record = test::in_one_page(test::BytesBuilder().record(sample_record, test::user_mode, payload).take());
    callchain = record.size() - 3 * 8;
    sample.id = 72;
    sample.period = 5;
    attr.sample_type = bit::ip | bit::tid | bit::time | bit::id | bit::period | bit::read | bit::callchain;
    attr.read_format = read_format;
  }
  std::optional<reader::Record> found() {
    sample.raw_callchain = reinterpret_cast<const std::uint64_t*>(record.data() + callchain);
    return record_of(sample, attr);
  }
  std::size_t callchain = 0;
};

namespace format = reader::read_format;
constexpr std::uint64_t with_ids = format::group | format::id | format::total_time_enabled | format::lost;

test::BytesBuilder three_counters() {
  return test::BytesBuilder().u64(3).u64(900).u64(2).u64(71).u64(0).u64(1).u64(72).u64(0).u64(1).u64(73).u64(0);
}

TEST(SampleRecord, IsFoundBeforeTheCountersOfAGroup) {
  ShownCounter shown(with_ids, three_counters());
  const auto found = shown.found();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->payload.data(), shown.record.data() + 8);
  EXPECT_EQ(found->header.size, shown.record.size());
}

TEST(SampleRecord, IsFoundBeforeACounterAlone) {
  ShownCounter shown(format::id | format::total_time_enabled | format::total_time_running,
                     test::BytesBuilder().u64(5).u64(900).u64(901).u64(72));
  EXPECT_TRUE(shown.found());
}

TEST(SampleRecord, IsRefusedBeforeCountersOfAnotherNumber) {
  ShownCounter shown(with_ids, three_counters());
  shown.write(8 + 5 * 8, 4);
  EXPECT_FALSE(shown.found());
}

TEST(SampleRecord, IsRefusedBeforeCountersWhereAnyOtherFieldIsAnother) {
  for (std::size_t at = 8; at < 8 + 3 * 8; at += 8) {
    ShownCounter shown(with_ids, three_counters());
    shown.write(at, 0x77);
    EXPECT_FALSE(shown.found()) << "at " << at;
  }
}

// The record is at the start of readable memory, and the search must end there.
TEST(SampleRecord, IsNotLookedForWhereNothingCanBeRead) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const pages = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(mprotect(pages, page, PROT_NONE), 0);
  ShownCounter shown(with_ids, three_counters());
  auto* const record = static_cast<std::byte*>(pages) + page;
  std::ranges::copy(shown.record, record);
  shown.sample.raw_callchain = reinterpret_cast<const std::uint64_t*>(record + shown.callchain);
  const auto found = record_of(shown.sample, shown.attr);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->payload.data(), record + 8);
  record[8 + 5 * 8] = std::byte{4};  // changes the number of counters
  EXPECT_FALSE(record_of(shown.sample, shown.attr));
  munmap(pages, 2 * page);
}

// perf may have assembled the callchain, so the memory before it may contain anything.
TEST(SampleRecord, WithCountersIsNotLookedForWhereUserCallchainsComeLater) {
  ShownCounter shown(with_ids, three_counters());
  shown.attr.flags |= std::uint64_t{1} << 38;  // defer_callchain
  EXPECT_FALSE(shown.found());
}

TEST(SampleRecord, IsNotThereWithoutACallchain) { EXPECT_FALSE(record_of(Sample{}, reader::EventAttr{})); }

}  // namespace
}  // namespace perfsift::dlfilter
