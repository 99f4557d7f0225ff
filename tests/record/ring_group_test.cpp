#include "record/ring_group.h"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <sched.h>
#include <sys/eventfd.h>

#include "base/error.h"
#include "record/machine/online_cpus.h"
#include "record/ring_threads.h"
#include "record/session.h"
#include "tests/record/live.h"

namespace perfsift::record {
namespace {

using ::testing::HasSubstr;

SessionPlan plan_in_threads(std::string_view spec) {
  SessionPlan plan = test::plan_of({test::clock_event()});
  plan.target.system_wide = true;
  plan.rings.threads = ring_threads(spec, sampled_cpus(plan.target, {}), {});
  return plan;
}

// Pins the calling thread to a CPU and works there.
void work_on(unsigned cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  ASSERT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  while (std::chrono::steady_clock::now() < end) {
  }
}

std::string refusal_of(const SessionPlan& plan) {
  try {
    const Session session(plan);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(RingGroup, EachThreadDrainsTheRingsOfItsCpus) {
  SKIP_WITHOUT_EVENTS({.tid = -1, .cpu = 0});
  Session session(plan_in_threads("cpu"));
  const std::vector<unsigned> cpus = online_cpus({});
  ASSERT_EQ(session.groups().size(), cpus.size());
  const int ending = eventfd(0, EFD_CLOEXEC);
  std::atomic<bool> ended = false;
  std::vector<test::CountingSink> sinks(session.groups().size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < sinks.size(); ++i) {
    session.groups()[i]->watch(ending);
    threads.emplace_back([&, i] {
      for (bool last = false; !last;) {
        session.groups()[i]->wait();
        last = ended;
        session.groups()[i]->drain(sinks[i]);
      }
    });
  }
  session.start();
  for (const unsigned cpu : cpus) std::thread(work_on, cpu).join();
  session.stop();
  ended = true;
  eventfd_write(ending, 1);
  for (std::thread& thread : threads) thread.join();
  close(ending);

  const auto counts = session.ring_counts();
  ASSERT_EQ(counts.size(), cpus.size());
  for (std::size_t i = 0; i < sinks.size(); ++i) {
    ASSERT_EQ(session.groups()[i]->rings().size(), 1u);
    const std::size_t ring = session.groups()[i]->rings()[0];
    EXPECT_GT(counts[ring].samples, 5u);
    EXPECT_EQ(sinks[i].sample_count(ring), counts[ring].samples);
    EXPECT_EQ(session.groups()[i]->affinity(), std::vector<unsigned>{cpus[i]});
  }
}

TEST(RingGroup, TheEndOfRecordedThreadsEndsTheSession) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  test::Child child([] { test::fault(10); });
  SessionPlan plan = test::plan_of_process(test::page_faults(), child.pid());
  plan.rings.threads = ring_threads("numa", sampled_cpus(plan.target, {}), {});
  Session session(plan);
  test::CountingSink sink;
  session.start();
  child.release();
  child.wait();
  std::jthread other([&] {
    RingGroup& group = *session.groups()[0];
    while (group.live() != 0) group.wait(), group.drain(sink);
  });
  const auto begin = std::chrono::steady_clock::now();
  while (session.running()) session.wait();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

// A dummy event tracks all CPUs, whichever are sampled.
TEST(RingGroup, CpusWithoutAThreadGoToTheFirst) {
  SKIP_WITHOUT_EVENTS({.tid = -1, .cpu = 0});
  if (online_cpus({}).size() < 2) GTEST_SKIP() << "one CPU";
  SessionPlan plan = test::plan_of({test::clock_event()});
  plan.target.cpus = {1};
  plan.rings.threads = {{.cpus = {1}, .affinity = {1}}};
  const Session session(plan);
  ASSERT_EQ(session.groups().size(), 1u);
  EXPECT_EQ(session.groups()[0]->rings().size(), session.rings());
}

TEST(RingGroup, RingsThatAreOverwrittenOrOfThreadsAreRefused) {
  SessionPlan plan = plan_in_threads("cpu");
  plan.rings.overwritten = true;
  EXPECT_THAT(refusal_of(plan), HasSubstr("overwritten rings were asked for"));
  plan = test::plan_of_own_thread(test::page_faults());
  plan.rings.threads = {{.cpus = {0}, .affinity = {0}}};
  EXPECT_THAT(refusal_of(plan), HasSubstr("--per-thread has rings of threads"));
}

}  // namespace
}  // namespace perfsift::record
