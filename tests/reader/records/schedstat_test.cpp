// /proc/schedstat. Layouts: tools/lib/perf/include/perf/event.h.
#include "reader/records/schedstat.h"

#include <gtest/gtest.h>

#include "tests/reader/records/record_of.h"

namespace perfsift::reader {
namespace {

using SchedstatRecord = RecordTest;
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, SchedstatRecord, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(SchedstatRecord, SchedstatCpu) {
  const auto bytes =
      payload().u64(100).u32(3).u16(17).u16(0).u32(1).u32(2).u32(3).u32(4).u32(5).u32(6).u64(7).u64(8).u64(9);
  const auto stat = decode_schedstat_cpu(record(RecordType::schedstat_cpu, bytes));
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->cpu, 3u);
  EXPECT_EQ(stat->yields, 1u);
  EXPECT_EQ(stat->wakeups_local, 6u);
  EXPECT_EQ(stat->timeslices, 9u);
}

TEST_P(SchedstatRecord, SchedstatDomainsChangedTheirOrderAndTheirLength) {
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
