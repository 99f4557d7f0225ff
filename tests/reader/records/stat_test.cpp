// Records about counters. Layouts: include/uapi/linux/perf_event.h and tools/lib/perf/include/perf/event.h.
#include "reader/records/stat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reader/records/record_of.h"

namespace perfsift::reader {
namespace {

using test::BytesBuilder;
using ::testing::ElementsAre;

using StatRecord = RecordTest;
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, StatRecord, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(StatRecord, ReadOfOneCounter) {
  using namespace read_format;
  const auto bytes = payload().u32(10).u32(11).u64(1).u64(2).u64(3).u64(4).u64(5);
  const auto all = decode_read(record(RecordType::read, 0, bytes), total_time_enabled | total_time_running | id | lost);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->pid, 10);
  EXPECT_EQ(all->tid, 11);
  EXPECT_EQ(all->time_enabled, 2u);
  EXPECT_EQ(all->time_running, 3u);
  ASSERT_EQ(all->counters.size(), 1u);
  EXPECT_EQ(all->counters[0].value, 1u);
  EXPECT_EQ(all->counters[0].id, 4u);
  EXPECT_EQ(all->counters[0].lost, 5u);

  const auto few = decode_read(record(RecordType::read, 0, bytes), read_format::id);
  EXPECT_EQ(few->counters[0].id, 2u);
  EXPECT_EQ(few->time_enabled, 0u);
}

TEST_P(StatRecord, ReadOfAGroup) {
  using namespace read_format;
  const auto bytes = payload().u32(10).u32(11).u64(2).u64(7).u64(1).u64(2).u64(3).u64(4);
  const auto read = decode_read(record(RecordType::read, 0, bytes), group | total_time_running | id);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->time_running, 7u);
  ASSERT_EQ(read->counters.size(), 2u);
  EXPECT_EQ(read->counters[1].value, 3u);
  EXPECT_EQ(read->counters[1].id, 4u);
  EXPECT_FALSE(decode_read(record(RecordType::read, 0, bytes), group | total_time_running | id | lost));
}

TEST_P(StatRecord, ThreadMap) {
  const auto bytes = payload().u64(1).u64(4242).text("sleep").zeros(11);
  const auto map = decode_thread_map(record(RecordType::thread_map, bytes));
  ASSERT_TRUE(map);
  ASSERT_EQ(map->threads.size(), 1u);
  EXPECT_EQ(map->threads[0].tid, 4242);
  EXPECT_EQ(map->threads[0].comm, "sleep");
}

TEST_P(StatRecord, CpuMapsHaveFourEncodings) {
  const auto cpus = [this](const BytesBuilder& bytes) {
    const auto map = decode_cpu_map(record(RecordType::cpu_map, bytes));
    return map ? map->cpus : std::vector<std::int32_t>{-99};
  };
  EXPECT_THAT(cpus(payload().u16(0).u16(3).u16(0xffff).u16(1).u16(3)), ElementsAre(-1, 1, 3));
  EXPECT_THAT(cpus(payload().u16(1).u16(2).u16(4).u32(0b101).u32(1)), ElementsAre(0, 2, 32));
  EXPECT_THAT(cpus(payload().u16(1).u16(2).u16(8).zeros(4).u64(0b10).u64(1)), ElementsAre(1, 64));
  EXPECT_THAT(cpus(payload().u16(2).u8(1).u8(0).u16(4).u16(6)), ElementsAre(-1, 4, 5, 6));
}

TEST_P(StatRecord, ImpossibleCpuMapsAreRefused) {
  EXPECT_FALSE(decode_cpu_map(record(RecordType::cpu_map, payload().u16(3).u64(0))));
  EXPECT_FALSE(decode_cpu_map(record(RecordType::cpu_map, payload().u16(1).u16(1).u16(2).u64(0))));
  EXPECT_FALSE(decode_cpu_map(record(RecordType::cpu_map, payload().u16(1).u16(65535).u16(4).u64(0))));
  EXPECT_FALSE(decode_cpu_map(record(RecordType::cpu_map, payload().u16(2).u16(0).u16(6).u16(4))));
}

TEST_P(StatRecord, StatConfigStatAndStatRound) {
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

}  // namespace
}  // namespace perfsift::reader
