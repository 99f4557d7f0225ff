// No record is lost without being counted: what arrived and what was lost is what the kernel counted.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <unistd.h>

#include "record/session.h"
#include "tests/record/live.h"

namespace perfsift::record {
namespace {

using reader::RecordType;
using test::Child;
using test::CountingSink;
using test::fault;
using test::page_faults;
using test::plan_of;
using test::plan_of_own_thread;
using test::plan_of_process;
using test::run_to_the_end;

constexpr std::size_t page = 4096;

// What the counters of the first event say, by ring: the number of events, and of samples that found no room.
struct Counted {
  std::uint64_t value = 0, lost = 0;
};
std::vector<Counted> counted_by_ring(const Session& session) {
  std::vector<Counted> rings(session.rings());
  const auto counters = session.counters();
  const auto counts = session.counts();
  for (std::size_t index = 0; index < counters.size(); ++index) {
    EXPECT_TRUE(counts[index].has_value());
    if (counters[index].event != 0 || !counts[index]) continue;
    rings[counters[index].ring].value += counts[index]->value;
    rings[counters[index].ring].lost += counts[index]->lost;
  }
  return rings;
}

void expect_all_accounted_for(const Session& session, CountingSink& sink, const char* when) {
  const auto counted = counted_by_ring(session);
  const auto losses = session.ring_counts();
  for (std::size_t ring = 0; ring < counted.size(); ++ring) {
    EXPECT_EQ(sink.sample_count(ring) + counted[ring].lost, counted[ring].value) << when << ", ring " << ring;
    EXPECT_GE(losses[ring].counted, counted[ring].lost) << when << ", ring " << ring;
    EXPECT_GE(losses[ring].counted, losses[ring].lost_records) << when << ", ring " << ring;
    EXPECT_EQ(losses[ring].damaged, 0u) << when << ", ring " << ring;
  }
  EXPECT_TRUE(sink.is_whole) << when;
}

TEST(SessionLosses, EverySampleOfAThreadArrivesWhileTheSessionIsEnabled) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  SessionPlan plan = plan_of_own_thread(page_faults());
  plan.start_disabled = true;
  Session session(plan);
  CountingSink sink;
  session.start();
  fault(100);
  session.drain(sink);
  EXPECT_EQ(sink.count(RecordType::sample), 0u);

  session.enable();
  fault(100);
  session.disable();
  fault(100);
  session.stop();
  session.drain(sink);
  EXPECT_GE(sink.count(RecordType::sample), 100u);
  EXPECT_LT(sink.count(RecordType::sample), 200u);
  EXPECT_EQ(session.rings(), 1u);
  EXPECT_EQ(sink.rounds, 2u);
  expect_all_accounted_for(session, sink, "at the end");
}

TEST(SessionLosses, ReceivedAndLostSamplesAreWhatTheKernelCounted) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  for (int round = 0; round < 20; ++round) {
    Child child([] { fault(4'000); });
    SessionPlan plan = plan_of_process(page_faults(), child.pid());
    plan.rings.bytes = 8 * page;
    Session session(plan);
    CountingSink sink;
    session.start();
    child.release();
    while (session.running()) session.wait(), session.drain(sink);
    session.drain(sink);
    expect_all_accounted_for(session, sink, ("round " + std::to_string(round)).c_str());
  }
}

TEST(SessionLosses, ReaderThatSleepsUntilTheEndKnowsHowMuchWasLost) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  Child child([] { fault(20'000); });
  SessionPlan plan = plan_of_process(page_faults(), child.pid());
  plan.rings.bytes = 8 * page;
  Session session(plan);
  CountingSink sink;
  session.start();
  child.release();
  child.wait();
  session.drain(sink);
  expect_all_accounted_for(session, sink, "at the end");
  std::uint64_t lost = 0;
  for (const RingCounts& losses : session.ring_counts()) lost += losses.counted;
  EXPECT_GE(lost, 10'000u);  // 8 pages have room for fewer than 1,000 samples
}

TEST(SessionLosses, FullRingGoesOnAfterItWasDrainedAndSaysHowMuchIsMissing) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  SessionPlan plan = plan_of_own_thread(page_faults());
  plan.rings.bytes = 8 * page;
  Session session(plan);
  CountingSink sink;
  session.start();
  fault(20'000);
  session.drain(sink);
  fault(10);
  session.stop();
  session.drain(sink);
  expect_all_accounted_for(session, sink, "at the end");
  EXPECT_EQ(sink.count(RecordType::lost), 1u);
  EXPECT_EQ(session.ring_counts()[0].lost_records, session.ring_counts()[0].counted);
}

TEST(SessionLosses, WatermarkWakesTheSessionBeforeTheRingIsFull) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  Child child([] {
    fault(5'000);
    while (true) pause();
  });
  SessionPlan plan = plan_of_process(page_faults(), child.pid());
  plan.target.per_thread = true;
  plan.rings.bytes = 64 * page;
  plan.rings.longest_wait = std::chrono::minutes(10);
  Session session(plan);
  CountingSink sink;
  session.start();
  child.release();
  session.wait();
  session.drain(sink);
  EXPECT_GE(sink.count(RecordType::sample), 1000u);  // a quarter of the ring has 1,600
}

TEST(SessionLosses, OverwrittenRingKeepsTheNewestSamples) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  SessionPlan plan = plan_of_own_thread(page_faults());
  plan.rings.overwritten = true;
  plan.rings.bytes = 8 * page;
  Session session(plan);
  ASSERT_EQ(session.rings(), 2u);  // records beside samples have a ring of their own
  CountingSink sink;
  sink.keep_samples = true;
  session.start();
  fault(20'000);
  session.disable();
  session.drain(sink);
  EXPECT_EQ(sink.count(RecordType::sample), 0u);

  session.snapshot(sink);
  EXPECT_GE(sink.count(RecordType::sample), 400u);
  EXPECT_LT(sink.count(RecordType::sample), 1000u);
  EXPECT_TRUE(sink.is_whole);
  // IDENTIFIER, IP, TID, TIME: the times ascend.
  std::vector<std::uint64_t> times;
  for (const auto& sample : sink.samples) times.push_back(ByteReader(Bytes(sample).subspan(24)).u64());
  EXPECT_TRUE(std::ranges::is_sorted(times));

  const std::uint64_t size = sink.samples[0].size() + reader::record_header_size;
  const std::uint64_t value = session.counts()[0].value().value;
  std::uint64_t overwritten = 0;
  for (const RingCounts& losses : session.ring_counts()) overwritten += losses.overwritten;
  EXPECT_EQ(sink.count(RecordType::sample) * size + overwritten, value * size);
}

// A snapshot does not stop the output of the rings.
TEST(SessionLosses, SnapshotsLoseNothing) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  Child child([] { fault(50'000); });
  SessionPlan plan = plan_of_process(page_faults(), child.pid());
  plan.rings.overwritten = true;
  plan.rings.bytes = 64 * page;
  plan.rings.longest_wait = std::chrono::milliseconds(1);
  Session session(plan);
  CountingSink sink;
  session.start();
  child.release();
  std::size_t snapshots = 0;
  for (; session.running(); ++snapshots) session.wait(), session.snapshot(sink), session.drain(sink);
  EXPECT_GT(snapshots, 3u);
  EXPECT_TRUE(sink.is_whole);
  EXPECT_EQ(sink.count(RecordType::lost), 0u);
  EXPECT_EQ(lost_of(session.ring_counts()), 0u);
}

TEST(SessionLosses, ProgramsThatACommandStartsAreCountedWithIt) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  SessionPlan plan = plan_of({page_faults()});
  plan.target.command = {"sh", "-c", "for i in 1 2 3; do cat /dev/null; done"};
  Session session(plan);
  CountingSink sink;
  run_to_the_end(session, sink);
  EXPECT_GE(sink.count(RecordType::sample), 100u);
  expect_all_accounted_for(session, sink, "at the end");
}

}  // namespace
}  // namespace perfsift::record
