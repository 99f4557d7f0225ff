// What the kernel grants a session, checked by the decoder of samples and by what the recorded process knows of itself.
#include <cstdint>
#include <ctime>
#include <map>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "reader/format/sample.h"
#include "record/attr_configuration.h"
#include "record/session.h"
#include "tests/record/live.h"

namespace perfsift::record {
namespace {

using reader::RecordType;
using test::CountingSink;
using test::fault;
using test::page_faults;
using test::plan_of;
using test::plan_of_own_thread;
using test::plan_of_process;
using test::run_to_the_end;

// Decodes samples of the first event, and counts those that are whole.
class DecodingSink : public RecordSink {
 public:
  explicit DecodingSink(const Session& session) {
    event_.attr = *reader::decode_event_attr(session.events()[0].attr, ByteOrder::native);
  }

  void records(std::size_t, Bytes some) override {
    for (ByteReader in(some); in.remaining() != 0;) {
      reader::Record record;
      record.header.type = static_cast<RecordType>(in.u32());
      record.header.misc = in.u16();
      record.header.size = in.u16();
      record.payload = in.bytes(record.header.size - reader::record_header_size);
      if (record.header.type == RecordType::sample) take(record);
    }
  }
  void round() override {}

  std::size_t whole = 0, broken = 0;
  std::vector<reader::CommonFields> common;
  std::vector<std::size_t> stack_sizes, register_counts;
  bool has_callchain = true;

 private:
  void take(const reader::Record& record) {
    reader::Sample sample;
    if (!decoder_.decode(record, event_, sample)) return static_cast<void>(++broken);
    ++whole;
    has_callchain = has_callchain && sample.has_callchain;
    stack_sizes.push_back(sample.user_stack.size());
    register_counts.push_back(sample.user_registers.values.size());
    common.push_back(sample);
  }

  reader::Event event_;
  reader::SampleDecoder decoder_;
};

SessionPlan plan_with_all_fields() {
  SessionPlan plan = plan_of_own_thread(page_faults());
  plan.content.call_graph = CallGraph::dwarf;
  plan.content.stack_size = 1024;
  plan.content.addresses = plan.content.data_page_size = plan.content.code_page_size = true;
  plan.content.weight = plan.content.transactions = plan.content.cpu = true;
  plan.content.interrupt_registers = unwind_registers();
  plan.side_band.switches = true;
  return plan;
}

TEST(SessionContent, SamplesHaveAllFieldsThatTheAttrSays) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  if (unwind_registers() == 0) GTEST_SKIP() << "the registers of this machine are not known";
  Session session(plan_with_all_fields());
  DecodingSink sink(session);
  session.start();
  fault(100);
  session.stop();
  session.drain(sink);
  EXPECT_GE(sink.whole, 100u);
  EXPECT_EQ(sink.broken, 0u);
  EXPECT_TRUE(sink.has_callchain);
  const auto registers = static_cast<std::size_t>(__builtin_popcountll(unwind_registers()));
  EXPECT_THAT(sink.register_counts, ::testing::Each(registers));
  EXPECT_THAT(sink.stack_sizes, ::testing::Each(::testing::AllOf(::testing::Gt(0u), ::testing::Le(1024u))));
  EXPECT_THAT(session.left_out(), ::testing::IsEmpty());
}

TEST(SessionContent, AddressOfAPageFaultIsThePageThatWasTouched) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  SessionPlan plan = plan_of_own_thread(page_faults());
  plan.content.addresses = true;
  Session session(plan);
  DecodingSink sink(session);
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* memory = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  session.start();
  static_cast<volatile char*>(memory)[7] = 1;
  session.stop();
  session.drain(sink);
  const auto touched = reinterpret_cast<std::uint64_t>(memory) + 7;
  munmap(memory, page);
  std::vector<std::uint64_t> addresses;
  for (const auto& sample : sink.common) addresses.push_back(sample.addr);
  EXPECT_THAT(addresses, ::testing::Contains(touched));
}

TEST(SessionContent, SwitchesOfTheThreadAreRecorded) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  SessionPlan plan = plan_of_own_thread(page_faults());
  plan.side_band.switches = true;
  Session session(plan);
  CountingSink sink;
  session.start();
  const timespec nap{0, 1'000'000};
  for (int number = 0; number < 5; ++number) nanosleep(&nap, nullptr);
  session.stop();
  session.drain(sink);
  EXPECT_GE(sink.count(RecordType::switch_), 10u);  // five out, five in
}

// perf_event_mmap_event() in kernel/events/core.c writes the build id instead of the device and the inode.
TEST(SessionContent, MappingsHaveBuildIds) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  SessionPlan plan = plan_of({page_faults()});
  plan.side_band.build_ids = true;
  plan.target.command = {"true"};
  Session session(plan);
  const auto attr = *reader::decode_event_attr(session.events()[0].attr, ByteOrder::native);
  if (!attr.build_id()) GTEST_SKIP() << "this kernel knows no build ids";
  CountingSink sink;
  run_to_the_end(session, sink);
  EXPECT_GE(sink.build_ids, 3u);  // true, ld.so and libc
}

TEST(SessionContent, AllThreadsOfAProcessAreRecorded) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  Session session(plan_of_process(page_faults(), static_cast<std::int32_t>(getpid())));
  DecodingSink sink(session);
  session.start();
  std::int32_t other = 0;
  std::thread([&] {
    other = static_cast<std::int32_t>(syscall(SYS_gettid));
    fault(50);
  }).join();
  fault(50);
  session.stop();
  session.drain(sink);
  std::map<std::int32_t, std::size_t> samples;
  for (const auto& sample : sink.common) ++samples[sample.tid];
  EXPECT_GE(samples[other], 50u);  // the thread was started later: inherited
  EXPECT_GE(samples[static_cast<std::int32_t>(syscall(SYS_gettid))], 50u);
}

}  // namespace
}  // namespace perfsift::record
