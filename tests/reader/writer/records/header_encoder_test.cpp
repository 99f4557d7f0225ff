// Records about the recording itself, encoded. Layouts: tools/lib/perf/include/perf/event.h.
#include <algorithm>

#include <gtest/gtest.h>

#include "reader/writer/records/header_records.h"
#include "tests/reader/writer/records/encoded.h"

namespace perfsift::reader {
namespace {

class HeaderEncoder : public EncoderTest {
 protected:
  ByteOrder order() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, HeaderEncoder, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(HeaderEncoder, AnAttrHasTheBytesOfTheKernel) {
  EventAttr attr{.type = 1, .config = 9, .sample_period = 4000, .sample_type = 7, .read_format = 4};
  attr.flags = 1 | 3 << 15;  // disabled, precise_ip 3
  attr.wakeup_events = 5, attr.bp_type = 6, attr.config1 = 7, attr.config2 = 8, attr.branch_sample_type = 9;
  attr.sample_regs_user = 10, attr.sample_stack_user = 11, attr.clock_id = -1, attr.sample_regs_intr = 12;
  attr.aux_watermark = 13, attr.sample_max_stack = 14, attr.aux_sample_size = 15, attr.aux_action = 16;
  attr.sig_data = 17, attr.config3 = 18, attr.config4 = 19;
  // On big-endian machines the bits are mirrored; the bits of precise_ip are both set.
  const std::uint64_t flags = order() == ByteOrder::native ? 0x18001u : 0x8000'0000'0000'0000u | 3ull << (64 - 17);
  auto expected = bytes();
  expected.u32(1).u32(144).u64(9).u64(4000).u64(7).u64(4).u64(flags).u32(5).u32(6).u64(7).u64(8).u64(9).u64(10);
  expected.u32(11).u32(~0u).u64(12).u32(13).u16(14).u16(0).u32(15).u32(16).u64(17).u64(18).u64(19);
  EXPECT_EQ(encode_event_attr(attr, 144, order()), expected.take());
}

TEST_P(HeaderEncoder, AnAttrOfEachSizeIsReadBack) {
  EventAttr attr{.type = 4, .config = 0x1234, .sample_period = 1, .sample_type = 0x10087};
  attr.set_precise_ip(2);
  attr.set(attr_flag::defer_output);
  attr.set(attr_flag::exclude_kernel);
  attr.config1 = 0x55, attr.config4 = 0x66;
  for (const std::size_t size : {64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 152}) {
    const auto encoded = encode_event_attr(attr, size, order());
    ASSERT_EQ(encoded.size(), size);
    const auto read = decode_event_attr(encoded, order());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->size, size);
    EXPECT_EQ(read->flags, attr.flags);
    EXPECT_EQ(read->precise_ip(), 2u);
    EXPECT_EQ(read->config, 0x1234u);
    EXPECT_EQ(read->config1, 0x55u);
    EXPECT_EQ(read->config4, size >= 144 ? 0x66u : 0u);
  }
}

TEST_P(HeaderEncoder, HeaderAttrIsReadBackWithItsIds) {
  const HeaderAttr header{.attr = {.type = 1, .size = 128, .config = 9}, .ids = {31, 32}};
  const auto encoded = encode_header_attr(header, order());
  EXPECT_EQ(encoded.size(), 8u + 128 + 16);
  const auto read = decode_header_attr(record(encoded));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->attr.config, 9u);
  EXPECT_EQ(read->ids, header.ids);
  EXPECT_TRUE(encode_header_attr({.attr = {}, .ids = std::vector<std::uint64_t>(9000)}, order()).empty());
}

TEST_P(HeaderEncoder, IdIndexHasTheBytesOfPerf) {
  const IdIndex index{
      .entries = {{.id = 31, .index = 0, .cpu = 1, .tid = -1}, {.id = 32, .index = 1, .cpu = 0, .tid = 7}}};
  auto expected = bytes();
  expected.u32(69).u16(0).u16(80).u64(2).u64(31).u64(0).u64(1).u64(~std::uint64_t{0}).u64(32).u64(1).u64(0).u64(7);
  EXPECT_EQ(encode_id_index(index, order()), expected.take());
}

TEST_P(HeaderEncoder, IdIndexWithGuestsIsReadBack) {
  const IdIndex index{.entries = {{.id = 31, .index = 2, .cpu = 1, .tid = -1, .machine_pid = 44, .vcpu = 5}}};
  const auto encoded = encode_id_index(index, order());
  const auto read = decode_id_index(record(encoded));
  ASSERT_TRUE(read);
  ASSERT_EQ(read->entries.size(), 1u);
  EXPECT_EQ(read->entries[0].id, 31u);
  EXPECT_EQ(read->entries[0].index, 2u);
  EXPECT_EQ(read->entries[0].cpu, 1);
  EXPECT_EQ(read->entries[0].tid, -1);
  EXPECT_EQ(read->entries[0].machine_pid, 44);
  EXPECT_EQ(read->entries[0].vcpu, 5);
}

TEST_P(HeaderEncoder, ALongIdIndexIsSeveralRecords) {
  IdIndex index;
  for (std::uint64_t id = 0; id < 5000; ++id) index.entries.push_back({.id = id, .cpu = 0, .tid = 1});
  auto rest = encode_id_index(index, order());
  std::uint64_t next = 0;
  std::size_t records = 0;
  for (; !rest.empty(); ++records) {
    const Record one = record(rest);
    const auto read = decode_id_index(one);
    ASSERT_TRUE(read);
    for (const auto& entry : read->entries) EXPECT_EQ(entry.id, next++);
    rest.erase(rest.begin(), rest.begin() + one.header.size);
  }
  EXPECT_EQ(next, 5000u);
  EXPECT_EQ(records, 4u);
}

TEST_P(HeaderEncoder, EventUpdatesAreReadBack) {
  const auto unit = encode_event_update({.kind = EventUpdate::Kind::unit, .id = 7, .text = "Joules"}, order());
  EXPECT_EQ(decode_event_update(record(unit))->text, "Joules");
  const auto scale = encode_event_update({.kind = EventUpdate::Kind::scale, .id = 7, .scale = 0.25}, order());
  EXPECT_EQ(decode_event_update(record(scale))->scale, 0.25);
  const auto cpus = encode_event_update({.kind = EventUpdate::Kind::cpus, .id = 7, .cpus = {{0, 2, -1}}}, order());
  const auto read = decode_event_update(record(cpus));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->id, 7u);
  EXPECT_EQ(read->cpus.cpus, (std::vector{0, 2, -1}));
}

TEST_P(HeaderEncoder, ThreadAndCpuMapsAreReadBack) {
  const auto threads = encode_thread_map({.threads = {{7, "a name that is long"}, {-1, ""}}}, order());
  const auto map = decode_thread_map(record(threads));
  ASSERT_TRUE(map);
  ASSERT_EQ(map->threads.size(), 2u);
  EXPECT_EQ(map->threads[0].tid, 7);
  EXPECT_EQ(map->threads[0].comm, "a name that is ");
  EXPECT_EQ(map->threads[1].tid, -1);

  const auto cpus = encode_cpu_map({{0, 1, 5}}, order());
  EXPECT_EQ(cpus, bytes().u32(74).u16(0).u16(24).u16(0).u16(3).u16(0).u16(1).u16(5).zeros(6).take());
  EXPECT_EQ(decode_cpu_map(record(cpus))->cpus, (std::vector{0, 1, 5}));
  EXPECT_TRUE(encode_cpu_map({{70'000}}, order()).empty());
}

TEST_P(HeaderEncoder, TimeConvIsReadBack) {
  const TimeConv::ShortCounter counter{.cycles = 4, .mask = 5, .has_time_zero = true, .has_short_time = false};
  const auto encoded = encode_time_conv({.shift = 1, .multiplier = 2, .zero = 3, .short_counter = counter}, order());
  EXPECT_EQ(encoded.size(), 56u);  // sizeof(struct perf_record_time_conv)
  const auto read = decode_time_conv(record(encoded));
  ASSERT_TRUE(read && read->short_counter);
  EXPECT_EQ(read->shift, 1u);
  EXPECT_EQ(read->multiplier, 2u);
  EXPECT_EQ(read->zero, 3u);
  EXPECT_EQ(read->short_counter->cycles, 4u);
  EXPECT_EQ(read->short_counter->mask, 5u);
  EXPECT_TRUE(read->short_counter->has_time_zero);
  EXPECT_FALSE(read->short_counter->has_short_time);
  const auto old = encode_time_conv({.shift = 1, .multiplier = 2, .zero = 3, .short_counter = {}}, order());
  EXPECT_FALSE(decode_time_conv(record(old))->short_counter);
}

TEST_P(HeaderEncoder, FeaturesAndMarksAreReadBack) {
  const auto data = test::BytesBuilder().text("12345678").take();
  const auto encoded = encode_header_feature({.number = 3, .data = data}, order());
  const auto read = decode_header_feature(record(encoded));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->number, 3u);
  EXPECT_TRUE(std::ranges::equal(read->data, data));
  const auto last = encode_header_feature({.number = 32, .data = {}}, order());
  EXPECT_TRUE(decode_header_feature(record(last))->last());

  const auto tracing = encode_header_tracing_data({.size = 24, .data = {}}, order());
  EXPECT_EQ(tracing, bytes().u32(66).u16(0).u16(16).u32(24).u32(0).take());
  EXPECT_EQ(encode_finished_round(order()), bytes().u32(68).u16(0).u16(8).take());
  EXPECT_EQ(encode_finished_init(order()), bytes().u32(82).u16(0).u16(8).take());
}

}  // namespace
}  // namespace perfsift::reader
