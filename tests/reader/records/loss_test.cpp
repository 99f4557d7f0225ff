// Records about losses. Layouts: include/uapi/linux/perf_event.h.
#include "reader/records/loss.h"

#include <gtest/gtest.h>

#include "tests/reader/records/record_of.h"

namespace perfsift::reader {
namespace {

using LossRecord = RecordTest;
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, LossRecord, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(LossRecord, LostRecordsAndLostSamples) {
  const auto records = payload().u64(5).u64(100);
  const auto lost = decode_lost(record(RecordType::lost, 0, records));
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->id, 5u);
  EXPECT_EQ(lost->lost, 100u);

  const auto samples = payload().u64(200);
  EXPECT_EQ(decode_lost_samples(record(RecordType::lost_samples, 0, samples))->lost, 200u);
  EXPECT_FALSE(decode_lost_samples(record(RecordType::lost_samples, 0, samples))->dropped_by_bpf);
  EXPECT_TRUE(decode_lost_samples(record(RecordType::lost_samples, misc::lost_samples_bpf, samples))->dropped_by_bpf);
}

TEST_P(LossRecord, Throttle) {
  const auto bytes = payload().u64(1000).u64(5).u64(6);
  const auto throttle = decode_throttle(record(RecordType::throttle, 0, bytes));
  ASSERT_TRUE(throttle);
  EXPECT_EQ(throttle->time, 1000u);
  EXPECT_EQ(throttle->id, 5u);
  EXPECT_EQ(throttle->stream_id, 6u);
}

}  // namespace
}  // namespace perfsift::reader
