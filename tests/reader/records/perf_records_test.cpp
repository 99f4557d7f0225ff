// The records perf adds. Layouts: tools/lib/perf/include/perf/event.h.
#include <bit>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reader/records/auxtrace.h"
#include "reader/records/bpf_metadata.h"
#include "reader/records/compressed.h"
#include "reader/records/cpu_map.h"
#include "reader/records/event_update.h"
#include "reader/records/header_records.h"
#include "reader/records/id_index.h"
#include "reader/records/schedstat.h"
#include "reader/records/stat.h"
#include "reader/records/thread_map.h"
#include "reader/records/time_conv.h"
#include "tests/reader/records/record_of.h"

namespace perfsift::reader {
namespace {

using test::BytesBuilder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class PerfRecord : public ::testing::TestWithParam<ByteOrder> {
 protected:
  BytesBuilder payload() const { return BytesBuilder(GetParam()); }
  Record record(RecordType type, const BytesBuilder& bytes) const { return record_of(type, 0, bytes, GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, PerfRecord, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(PerfRecord, HeaderAttrHasItsIdsBehindAnAttrOfAnySize) {
  const auto bytes = payload().u32(1).u32(72).u64(0).zeros(48).u64(0xc2).u64(31).u64(32);
  const auto header = decode_header_attr(record(RecordType::header_attr, bytes));
  ASSERT_TRUE(header);
  EXPECT_EQ(header->attr.type, 1u);
  EXPECT_EQ(header->attr.config2, 0xc2u);
  EXPECT_THAT(header->ids, ElementsAre(31, 32));
}

TEST_P(PerfRecord, HeaderEventTypeTracingDataAndFeature) {
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

TEST_P(PerfRecord, IdIndexKnowsGuestsInASecondTable) {
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

TEST_P(PerfRecord, Auxtrace) {
  const auto info_bytes = payload().u32(1).u32(0).u64(8).u64(9);
  const auto info = decode_auxtrace_info(record(RecordType::auxtrace_info, info_bytes));
  ASSERT_TRUE(info);
  EXPECT_EQ(info->type, 1u);
  EXPECT_THAT(info->settings, ElementsAre(8, 9));

  const auto bytes = payload().u64(4096).u64(1).u64(2).u32(3).u32(4).u32(5).u32(0);
  const auto trace = decode_auxtrace(record(RecordType::auxtrace, bytes));
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->size, 4096u);
  EXPECT_EQ(trace->index, 3u);
  EXPECT_EQ(trace->tid, 4);
  EXPECT_EQ(trace->cpu, 5);
}

TEST_P(PerfRecord, AuxtraceErrorsHaveThreeFormats) {
  const auto head = [this](std::uint32_t format) {
    return payload().u32(1).u32(2).u32(3).u32(10).u32(11).u32(format).u64(0x401000);
  };
  const auto plain_bytes = head(0).padded("lost");
  const auto plain = decode_auxtrace_error(record(RecordType::auxtrace_error, plain_bytes));
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->ip, 0x401000u);
  EXPECT_FALSE(plain->time);
  EXPECT_EQ(plain->message, "lost");

  const auto timed_bytes = head(1).u64(777).padded("lost");
  const auto timed = decode_auxtrace_error(record(RecordType::auxtrace_error, timed_bytes));
  ASSERT_TRUE(timed);
  EXPECT_EQ(timed->time, 777u);
  EXPECT_EQ(timed->message, "lost");

  const auto guest_bytes = head(2).u64(777).text("lost").zeros(60).u32(100).u32(1);
  const auto guest = decode_auxtrace_error(record(RecordType::auxtrace_error, guest_bytes));
  ASSERT_TRUE(guest);
  EXPECT_EQ(guest->message, "lost");
  EXPECT_EQ(guest->machine_pid, 100);
  EXPECT_EQ(guest->vcpu, 1);
}

TEST_P(PerfRecord, ThreadMap) {
  const auto bytes = payload().u64(1).u64(4242).text("sleep").zeros(11);
  const auto map = decode_thread_map(record(RecordType::thread_map, bytes));
  ASSERT_TRUE(map);
  ASSERT_EQ(map->threads.size(), 1u);
  EXPECT_EQ(map->threads[0].tid, 4242);
  EXPECT_EQ(map->threads[0].comm, "sleep");
}

TEST_P(PerfRecord, CpuMapsHaveFourEncodings) {
  const auto cpus = [this](const BytesBuilder& bytes) {
    const auto map = decode_cpu_map(record(RecordType::cpu_map, bytes));
    return map ? map->cpus : std::vector<std::int32_t>{-99};
  };
  EXPECT_THAT(cpus(payload().u16(0).u16(3).u16(0xffff).u16(1).u16(3)), ElementsAre(-1, 1, 3));
  EXPECT_THAT(cpus(payload().u16(1).u16(2).u16(4).u32(0b101).u32(1)), ElementsAre(0, 2, 32));
  EXPECT_THAT(cpus(payload().u16(1).u16(2).u16(8).zeros(4).u64(0b10).u64(1)), ElementsAre(1, 64));
  EXPECT_THAT(cpus(payload().u16(2).u8(1).u8(0).u16(4).u16(6)), ElementsAre(-1, 4, 5, 6));
}

TEST_P(PerfRecord, ImpossibleCpuMapsAreRefused) {
  EXPECT_FALSE(decode_cpu_map(record(RecordType::cpu_map, payload().u16(3).u64(0))));
  EXPECT_FALSE(decode_cpu_map(record(RecordType::cpu_map, payload().u16(1).u16(1).u16(2).u64(0))));
  EXPECT_FALSE(decode_cpu_map(record(RecordType::cpu_map, payload().u16(1).u16(65535).u16(4).u64(0))));
  EXPECT_FALSE(decode_cpu_map(record(RecordType::cpu_map, payload().u16(2).u16(0).u16(6).u16(4))));
}

TEST_P(PerfRecord, StatRecords) {
  const auto config_bytes = payload().u64(2).u64(0).u64(1).u64(1).u64(1000);
  const auto config = decode_stat_config(record(RecordType::stat_config, config_bytes));
  ASSERT_TRUE(config);
  ASSERT_EQ(config->terms.size(), 2u);
  EXPECT_EQ(config->terms[1].value, 1000u);

  const auto stat_bytes = payload().u64(9).u32(1).u32(2).u64(3).u64(4).u64(5);
  const auto stat = decode_stat(record(RecordType::stat, stat_bytes));
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->id, 9u);
  EXPECT_EQ(stat->cpu, 1);
  EXPECT_EQ(stat->thread, 2);
  EXPECT_EQ(stat->time_running, 5u);

  const auto round = decode_stat_round(record(RecordType::stat_round, payload().u64(1).u64(77)));
  ASSERT_TRUE(round);
  EXPECT_EQ(round->kind, StatRound::Kind::final);
  EXPECT_EQ(round->time, 77u);
}

TEST_P(PerfRecord, EventUpdateHasFourKinds) {
  const auto update = [this](const BytesBuilder& bytes) {
    return decode_event_update(record(RecordType::event_update, bytes)).value();
  };
  EXPECT_EQ(update(payload().u64(0).u64(5).padded("Joules")).text, "Joules");
  EXPECT_EQ(update(payload().u64(1).u64(5).u64(std::bit_cast<std::uint64_t>(0.25))).scale, 0.25);
  EXPECT_EQ(update(payload().u64(2).u64(5).padded("cycles:u")).id, 5u);
  EXPECT_THAT(update(payload().u64(3).u64(5).u16(0).u16(1).u16(7)).cpus.cpus, ElementsAre(7));
  EXPECT_EQ(update(payload().u64(4).u64(5)).id, 5u);
}

TEST_P(PerfRecord, TimeConvGrewItsSecondHalf) {
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

TEST_P(PerfRecord, CompressedIsAllDataCompressed2SaysHowMuch) {
  const auto all = decode_compressed(record(RecordType::compressed, payload().text("seven!!")));
  ASSERT_TRUE(all);
  EXPECT_EQ(all->data.size(), 7u);
  EXPECT_TRUE(all->whole());

  const auto padded = decode_compressed(record(RecordType::compressed2, payload().u64(7).text("seven!!").zeros(1)));
  ASSERT_TRUE(padded);
  EXPECT_EQ(padded->data.size(), 7u);
  EXPECT_TRUE(padded->whole());

  const auto wrapped = decode_compressed(record(RecordType::compressed2, payload().u64(65519).zeros(8)));
  ASSERT_TRUE(wrapped);
  EXPECT_EQ(wrapped->size, 65519u);
  EXPECT_EQ(wrapped->data.size(), 8u);
  EXPECT_FALSE(wrapped->whole());
}

TEST_P(PerfRecord, BpfMetadata) {
  const auto bytes = payload().text("my_prog").zeros(505).u64(1).text("version").zeros(57).text("3").zeros(255);
  const auto metadata = decode_bpf_metadata(record(RecordType::bpf_metadata, bytes));
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->program, "my_prog");
  EXPECT_THAT(metadata->entries, ElementsAre(std::pair("version", "3")));
}

TEST_P(PerfRecord, SchedstatCpu) {
  const auto bytes =
      payload().u64(100).u32(3).u16(17).u16(0).u32(1).u32(2).u32(3).u32(4).u32(5).u32(6).u64(7).u64(8).u64(9);
  const auto stat = decode_schedstat_cpu(record(RecordType::schedstat_cpu, bytes));
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->cpu, 3u);
  EXPECT_EQ(stat->yields, 1u);
  EXPECT_EQ(stat->wakeups_local, 6u);
  EXPECT_EQ(stat->timeslices, 9u);
}

TEST_P(PerfRecord, SchedstatDomainsChangedTheirOrderAndTheirLength) {
  const auto stat = [this](std::uint16_t version, std::uint32_t counters) {
    auto bytes = payload().u64(100).u32(3).u16(version).u16(1);
    for (std::uint32_t i = 1; i <= counters; ++i) bytes.u32(i);
    return decode_schedstat_domain(record(RecordType::schedstat_domain, bytes));
  };
  ASSERT_TRUE(stat(15, 36));
  EXPECT_EQ(stat(15, 36)->domain, 1u);
  EXPECT_EQ(stat(15, 36)->idle.calls, 1u);
  EXPECT_EQ(stat(15, 36)->busy.no_busier_group, 16u);
  EXPECT_EQ(stat(15, 36)->active.calls, 25u);
  EXPECT_EQ(stat(15, 36)->wakeups_moved_balance, 36u);
  ASSERT_TRUE(stat(16, 36));
  EXPECT_EQ(stat(16, 36)->busy.calls, 1u);
  EXPECT_EQ(stat(16, 36)->idle.calls, 9u);
  ASSERT_TRUE(stat(17, 45));
  EXPECT_EQ(stat(17, 45)->busy.imbalance_misfit, 7u);
  EXPECT_EQ(stat(17, 45)->busy.gained, 8u);
  EXPECT_EQ(stat(17, 45)->idle.calls, 12u);
  EXPECT_EQ(stat(17, 45)->fork.pushed, 42u);
  EXPECT_FALSE(stat(17, 44));
  EXPECT_FALSE(stat(18, 45));
}

}  // namespace
}  // namespace perfsift::reader
