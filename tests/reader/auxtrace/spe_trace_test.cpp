// Recordings with a trace of Arm SPE. tests/oracle/spe_equals_perf.sh compares the contents of samples with perf
// itself.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reader/reading.h"
#include "tests/support/spe_recording.h"

namespace perfsift::reader {
namespace {

using test::SpeMachine;
using test::SpePacketWriter;
using ::testing::ElementsAre;

struct TracedSample {
  std::string event;
  std::uint64_t time, ip, addr, weight, data_src;
  std::int32_t pid, tid, cpu;
  auto operator<=>(const TracedSample&) const = default;
};

class TracedSamples : public SampleVisitor, public OrderedVisitor {
 public:
  explicit TracedSamples(std::vector<TracedSample>& to) : to_(to) {}
  void sample(const Sample& s) override {
    to_.push_back({s.event->name, s.time, s.ip, s.addr, s.weight, s.data_src, s.pid, s.tid, s.cpu});
  }

 private:
  std::vector<TracedSample>& to_;
};

OpenOptions making(TraceEvents events) {
  OpenOptions options;
  options.trace_events = events;
  return options;
}

std::unique_ptr<test::FileInMemory> open_traced(const std::vector<std::byte>& bytes,
                                                TraceEvents events = TraceEvents::all()) {
  return std::make_unique<test::FileInMemory>(bytes, making(events));
}

std::vector<TracedSample> in_order(Recording& recording) {
  std::vector<TracedSample> samples;
  TracedSamples visitor(samples);
  recording.visit_in_order(visitor);
  return samples;
}

SpePacketWriter load_at(std::uint64_t counter, std::uint32_t tid = 1001) {
  SpePacketWriter out;
  out.address(0, 0x8000000000401000).context(tid).operation(1, 0).events(0x16, 1).counter(0, 9);
  out.address(2, 0x7000).data_source(0xe, 1).timestamp(counter);
  return out;
}

TEST(SpeTrace, ARecordBecomesASampleOfEachEvent) {
  const SpeMachine machine;
  test::RecordingBuilder in = spe_machine(machine);
  add_spe_piece(in, machine, 0, load_at(1'000'000).view());
  const auto file = open_traced(in.file());
  const auto samples = in_order(**file);
  std::vector<std::string> events;
  for (const TracedSample& sample : samples) events.push_back(sample.event);
  EXPECT_THAT(events, ElementsAre("l1d-access", "tlb-access", "memory", "instructions"));
  const TracedSample& memory = samples.at(2);
  // 40 ns a tick, and a little more: 1'000'000 * 671'088'643 >> 24
  EXPECT_EQ(memory.time, SpeMachine::zero + 40'000'000);
  EXPECT_EQ(std::tie(memory.pid, memory.tid, memory.cpu), std::make_tuple(1000, 1001, 0));
  EXPECT_EQ(std::tie(memory.ip, memory.addr, memory.weight), std::make_tuple(0x401000u, 0x7000u, 9u));
  EXPECT_EQ((*file)->stats().trace_records, 1u);
  EXPECT_EQ((*file)->stats().samples(), 1u);
  EXPECT_TRUE((*file)->stats().whole());
}

TEST(SpeTrace, OnlyWantedEventsAreMade) {
  const SpeMachine machine;
  const auto bytes = test::spe_recording(machine, 20);
  const auto memory = open_traced(bytes, {.memory = true});
  for (const TracedSample& sample : in_order(**memory)) EXPECT_EQ(sample.event, "memory");
  const auto none = open_traced(bytes, {});
  EXPECT_TRUE(in_order(**none).empty());
  EXPECT_FALSE((*none)->stats().trace_is_decoded);
  EXPECT_EQ((*none)->events().size(), 2u);
}

TEST(SpeTrace, AllWaysToReadGiveTheSameSamples) {
  for (const SpeMachine& machine :
       {SpeMachine{}, SpeMachine{.describes_cpus = false}, SpeMachine{.timed = false}, SpeMachine{.contexts = false}}) {
    const auto file = open_traced(test::spe_recording(machine, 50));
    auto ordered = in_order(**file);
    EXPECT_GT(ordered.size(), 600u);
    std::ranges::sort(ordered);
    for (const unsigned threads : {1u, 4u}) {
      std::vector<std::vector<TracedSample>> shares(threads);
      (*file)->visit_parallel(threads,
                              [&](unsigned worker) { return std::make_unique<TracedSamples>(shares[worker]); });
      std::vector<TracedSample> all;
      for (const auto& share : shares) all.insert(all.end(), share.begin(), share.end());
      std::ranges::sort(all);
      EXPECT_EQ(all, ordered);
    }
  }
}

TEST(SpeTrace, SamplesComeInTurnWithOtherRecords) {
  const auto file = open_traced(test::spe_recording({}, 50), {.instructions = true});
  std::uint64_t last = 0;  // records without a time come together with their neighbours
  for (const TracedSample& sample : in_order(**file)) {
    if (sample.time == SpeMachine::zero) continue;
    EXPECT_GE(sample.time, last);
    last = sample.time;
  }
}

TEST(SpeTrace, WithoutContextsTheSwitchesOfACpuTellTheThread) {
  const SpeMachine machine{.contexts = false};
  const auto file = open_traced(test::spe_recording(machine, 50), {.instructions = true});
  std::map<std::int32_t, unsigned> threads;
  for (const TracedSample& sample : in_order(**file)) {
    if (sample.time != SpeMachine::zero) ++threads[sample.tid];
  }
  EXPECT_EQ(threads.size(), 4u);
  EXPECT_EQ(threads.begin()->first, 1001);
}

TEST(SpeTrace, DamageIsCountedOnceAndTheRestIsRead) {
  const SpeMachine machine;
  test::RecordingBuilder in = spe_machine(machine);
  SpePacketWriter damaged;
  damaged.address(0, 0x1000).byte(0xff).timestamp(5);
  add_spe_piece(in, machine, 0, load_at(1'000'000).view());
  add_spe_piece(in, machine, 1, damaged.view());
  add_spe_piece(in, machine, 2, load_at(1'000'001).view().first(20));
  const auto file = open_traced(in.file(), {.memory = true});
  EXPECT_EQ(in_order(**file).size(), 1u);
  EXPECT_EQ(in_order(**file).size(), 1u);
  ASSERT_EQ((*file)->stats().damage.size(), 1u);
  EXPECT_EQ((*file)->stats().damage[0].bytes, damaged.size());
  EXPECT_EQ((*file)->stats().losses.cut_trace_records, 1u);
}

TEST(SpeTrace, AStreamSaysThatItsTraceIsNotDecoded) {
  const SpeMachine machine;
  test::RecordingBuilder in = spe_machine(machine);
  add_spe_piece(in, machine, 0, load_at(1'000'000).view());
  const auto pipe = in.pipe();
  const auto file = open_traced(pipe, {.memory = true});
  EXPECT_EQ(in_order(**file).size(), 1u);
  const auto stream = test::stream_in_memory(pipe, ~std::size_t{0}, making({.memory = true}));
  EXPECT_TRUE(in_order(*stream).empty());
  EXPECT_FALSE(stream->stats().whole());
}

TEST(SpeTrace, AnAnnouncementThatContradictsItselfIsNoTrace) {
  const auto settings = [](std::vector<std::uint64_t> words) {
    return decode_spe_settings({.type = auxtrace_type_spe, .settings = std::move(words)});
  };
  EXPECT_FALSE(settings({9}));
  EXPECT_EQ(settings({9, 1})->pmu_type, 9u);
  EXPECT_FALSE(settings({2, 4, 9}));
  EXPECT_FALSE(settings({2, 4, 9, 1}));  // no words of the CPU
  EXPECT_FALSE(settings({2, ~std::uint64_t{0}, 9, 1, 0, 0}));
  EXPECT_FALSE(settings({2, 4, 9, std::uint64_t{1} << 62, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(settings({2, 4, 9, 1, 0, 3, 3, 0x410fd0c0, 9, 1})->cpus.at(0).midr, 0x410fd0c0u);
}

}  // namespace
}  // namespace perfsift::reader
