// Records about hardware traces. Layouts: include/uapi/linux/perf_event.h and tools/lib/perf/include/perf/event.h.
#include "reader/records/auxtrace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reader/records/record_of.h"

namespace perfsift::reader {
namespace {

using ::testing::ElementsAre;

using AuxtraceRecord = RecordTest;
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, AuxtraceRecord, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(AuxtraceRecord, AuxFlagsAreThoseOfTheKernel) {
  const auto bytes = payload().u64(1).u64(2).u64(1 | 8);
  const auto aux = decode_aux(record(RecordType::aux, 0, bytes));
  ASSERT_TRUE(aux);
  EXPECT_EQ(aux->offset, 1u);
  EXPECT_EQ(aux->size, 2u);
  EXPECT_TRUE(aux->truncated());
  EXPECT_FALSE(aux->overwrite());
  EXPECT_FALSE(aux->partial());
  EXPECT_TRUE(aux->collision());
}

TEST_P(AuxtraceRecord, ItraceStartAndHwId) {
  EXPECT_EQ(decode_itrace_start(record(RecordType::itrace_start, 0, payload().u32(10).u32(11)))->tid, 11);
  EXPECT_EQ(decode_aux_output_hw_id(record(RecordType::aux_output_hw_id, 0, payload().u64(3)))->hw_id, 3u);
}

TEST_P(AuxtraceRecord, Auxtrace) {
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

TEST_P(AuxtraceRecord, AuxtraceErrorsHaveThreeFormats) {
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

}  // namespace
}  // namespace perfsift::reader
