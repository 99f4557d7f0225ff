// The kernel's records about events, CPUs and buffers. Layouts: include/uapi/linux/perf_event.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reader/records/aux_area.h"
#include "reader/records/callchain_deferred.h"
#include "reader/records/lost.h"
#include "reader/records/read.h"
#include "reader/records/switch.h"
#include "reader/records/throttle.h"
#include "tests/reader/records/record_of.h"

namespace perfsift::reader {
namespace {

using test::BytesBuilder;
using ::testing::ElementsAre;

class KernelRecord : public ::testing::TestWithParam<ByteOrder> {
 protected:
  BytesBuilder payload() const { return BytesBuilder(GetParam()); }
  Record record(RecordType type, std::uint16_t misc, const BytesBuilder& bytes) const {
    return record_of(type, misc, bytes, GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, KernelRecord, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(KernelRecord, LostRecordsAndLostSamples) {
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

TEST_P(KernelRecord, Throttle) {
  const auto bytes = payload().u64(1000).u64(5).u64(6);
  const auto throttle = decode_throttle(record(RecordType::throttle, 0, bytes));
  ASSERT_TRUE(throttle);
  EXPECT_EQ(throttle->time, 1000u);
  EXPECT_EQ(throttle->id, 5u);
  EXPECT_EQ(throttle->stream_id, 6u);
}

TEST_P(KernelRecord, ReadOfOneCounter) {
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

TEST_P(KernelRecord, ReadOfAGroup) {
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

TEST_P(KernelRecord, AuxFlagsAreThoseOfTheKernel) {
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

TEST_P(KernelRecord, ItraceStartAndHwId) {
  EXPECT_EQ(decode_itrace_start(record(RecordType::itrace_start, 0, payload().u32(10).u32(11)))->tid, 11);
  EXPECT_EQ(decode_aux_output_hw_id(record(RecordType::aux_output_hw_id, 0, payload().u64(3)))->hw_id, 3u);
}

TEST_P(KernelRecord, SwitchKnowsTheOtherThreadOnlyCpuWide) {
  const auto bytes = payload().u32(10).u32(11);
  const auto in = decode_switch(record(RecordType::switch_, 0, bytes));
  ASSERT_TRUE(in);
  EXPECT_FALSE(in->out);
  EXPECT_FALSE(in->other);

  const auto out =
      decode_switch(record(RecordType::switch_cpu_wide, misc::switch_out | misc::switch_out_preempt, bytes));
  ASSERT_TRUE(out && out->other);
  EXPECT_TRUE(out->out);
  EXPECT_TRUE(out->preempted);
  EXPECT_EQ(out->other->pid, 10);
  EXPECT_EQ(out->other->tid, 11);
}

TEST_P(KernelRecord, CallchainDeferred) {
  const auto bytes = payload().u64(0xc00c1e).u64(2).u64(callchain_context::user).u64(0x401000).u64(99);
  const auto chain = decode_callchain_deferred(record(RecordType::callchain_deferred, 0, bytes));
  ASSERT_TRUE(chain);
  EXPECT_EQ(chain->cookie, 0xc00c1eu);
  EXPECT_THAT(chain->addresses, ElementsAre(callchain_context::user, 0x401000));
  EXPECT_FALSE(decode_callchain_deferred(record(RecordType::callchain_deferred, 0, payload().u64(1).u64(9).u64(2))));
}

}  // namespace
}  // namespace perfsift::reader
