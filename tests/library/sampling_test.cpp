#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <perfsift/sampling.h>
#include <pthread.h>
#include <unistd.h>

#include "tests/library/own_sampling.h"
#include "tests/support/allocated.h"

namespace {

using perfsift::LiveSample;
using perfsift::LiveSamples;
using perfsift::Sampler;
using perfsift::SamplingOptions;
using perfsift::SamplingScope;
using perfsift::test::faults;
using perfsift::test::FreshPages;
using perfsift::test::own_tid;
using ::testing::ElementsAreArray;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::uint64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint64_t cpu_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

[[gnu::noinline]] void compute_for(std::uint64_t nanoseconds) {
  volatile unsigned sum = 0;
  for (const std::uint64_t end = cpu_time() + nanoseconds; cpu_time() < end;) {
    for (unsigned i = 0; i < 100'000; ++i) sum = sum + i;
  }
}

// --- what a sample says ---

TEST(Sampling, EachTouchOfAFreshPageIsASampleWithItsAddress) {
  SKIP_IF_REFUSED(faults);
  FreshPages pages(300);
  Sampler sampler(faults);
  const std::uint64_t before = now();
  {
    const SamplingScope scope(sampler);
    pages.touch_all();
  }
  const std::uint64_t after = now();
  const LiveSamples samples = sampler.take();
  EXPECT_THAT(pages.sampled(samples), ElementsAreArray(pages.all()));
  EXPECT_EQ(sampler.lost(), 0u);
  for (const LiveSample& sample : samples) {
    EXPECT_EQ(sample.pid, getpid());
    EXPECT_EQ(sample.tid, own_tid());
    EXPECT_GE(sample.cpu, 0);
    EXPECT_EQ(sample.period, 1u);
    EXPECT_EQ(sample.event, 0u);
    EXPECT_EQ(sample.mode, perfsift::CpuMode::user);
    EXPECT_TRUE(before <= sample.time && sample.time <= after);
    EXPECT_THAT(sample.callchain, IsEmpty());
  }
}

#if defined(__x86_64__)
TEST(Sampling, BreakpointCountsExactlyTheWrites) {
  static volatile std::uint64_t watched = 0;
  char name[64];
  std::snprintf(name, sizeof name, "mem:0x%lx/8:w:u", reinterpret_cast<unsigned long>(&watched));
  SKIP_IF_REFUSED({.event = name});
  Sampler sampler({.event = name});
  watched = 1;
  {
    const SamplingScope scope(sampler);
    for (std::uint64_t i = 0; i < 1000; ++i) watched = i;
    EXPECT_EQ(watched, 999u);
  }
  watched = 2;
  const LiveSamples samples = sampler.take();
  if (samples.size() == 0) GTEST_SKIP() << "breakpoints never fire here";  // in some virtual machines
  EXPECT_THAT(samples.samples(), SizeIs(1000));
  EXPECT_EQ(sampler.lost(), 0u);
  for (const LiveSample& sample : samples) EXPECT_EQ(sample.address, reinterpret_cast<std::uint64_t>(&watched));
}
#endif

[[gnu::noinline]] void touch_in_a_function_of_its_own(FreshPages& pages) {
  pages.touch_all();
  asm volatile("" ::: "memory");  // no tail call
}

// Whether a function of that name is in the callchain.
bool is_in_stack(const LiveSample& sample, const perfsift::Symbolizer& symbolizer, std::string_view function) {
  return std::ranges::any_of(stack_addresses(sample), [&](const perfsift::Address& address) {
    return std::ranges::any_of(frames_of_this_process(symbolizer, address), [&](const perfsift::Frame& frame) {
      return frame.function.find(function) != std::string_view::npos;
    });
  });
}

TEST(Sampling, CallchainHasTheNamesOfTheCallers) {
  SKIP_IF_REFUSED(faults);
  SamplingOptions options = faults;
  options.callchains = true;
  FreshPages pages(20);
  Sampler sampler(options);
  {
    const SamplingScope scope(sampler);
    touch_in_a_function_of_its_own(pages);
  }
  const perfsift::Symbolizer symbolizer;
  std::size_t with_caller = 0;
  for (const LiveSample& sample : sampler.take()) {
    if (!pages.have(sample.address)) continue;
    EXPECT_EQ(sample.callchain.front(), static_cast<std::uint64_t>(-512));  // PERF_CONTEXT_USER
    const auto addresses = perfsift::stack_addresses(sample);
    EXPECT_EQ(addresses.front().ip, sample.ip);
    EXPECT_FALSE(addresses.front().return_address);
    with_caller += is_in_stack(sample, symbolizer, "touch_in_a_function_of_its_own") ? 1 : 0;
  }
  EXPECT_EQ(with_caller, 20u);
}

TEST(Sampling, ClockSamplesTheCodeThatRunsWithItsCallers) {
  const SamplingOptions options{.event = "cpu-clock", .period = 100'000, .callchains = true, .user_only = true};
  SKIP_IF_REFUSED(options);
  Sampler sampler(options);
  {
    const SamplingScope scope(sampler);
    compute_for(50'000'000);
  }
  const LiveSamples samples = sampler.take();
  EXPECT_THAT(samples.samples(), SizeIs(Ge(50u)));  // 500 periods of 0.1 ms, of which a virtual machine delays some
  const perfsift::Symbolizer symbolizer;
  const auto computing = static_cast<std::size_t>(std::ranges::count_if(
      samples, [&](const LiveSample& sample) { return is_in_stack(sample, symbolizer, "compute_for"); }));
  EXPECT_GT(computing * 10, samples.size() * 9);
}

TEST(Sampling, EachHitOfATracepointIsASample) {
  if (access("/sys/kernel/tracing/events/syscalls/sys_enter_getppid/id", R_OK) != 0) {
    GTEST_SKIP() << "no right to read tracefs";
  }
  const SamplingOptions options{.event = "syscalls:sys_enter_getppid"};
  SKIP_IF_REFUSED(options);
  Sampler sampler(options);
  {
    const SamplingScope scope(sampler);
    for (int i = 0; i < 25; ++i) getppid();
  }
  EXPECT_THAT(sampler.take().samples(), SizeIs(25));
}

TEST(Sampling, SamplesOfSeveralEventsNameTheirEvent) {
  const SamplingOptions options{.event = "cpu-clock:u,page-faults:u", .period = 1'000'000};
  SKIP_IF_REFUSED(options);
  FreshPages pages(20);
  Sampler sampler({.event = "cpu-clock/period=1000000/u,page-faults/period=1/u"});
  {
    const SamplingScope scope(sampler);
    pages.touch_all();
    compute_for(30'000'000);
  }
  ASSERT_THAT(sampler.events(), SizeIs(2));
  std::size_t clock = 0;
  for (const LiveSample& sample : sampler.take()) {
    EXPECT_TRUE(sample.event == 0 || sample.event == 1);
    EXPECT_EQ(sample.period, sample.event == 0 ? 1'000'000u : 1u);
    if (pages.have(sample.address)) {
      EXPECT_EQ(sample.event, 1u);
    }
    clock += sample.event == 0 ? 1 : 0;
  }
  EXPECT_GT(clock, 0u);
}

TEST(Sampling, SampleWithoutCallchainHasItsInstruction) {
  LiveSample sample;
  sample.ip = 0x401000, sample.mode = perfsift::CpuMode::user;
  const auto addresses = perfsift::stack_addresses(sample);
  ASSERT_THAT(addresses, SizeIs(1));
  EXPECT_EQ(addresses[0].ip, 0x401000u);
}

TEST(Sampling, AddressWithoutAFileHasAFrameWithoutAName) {
  const perfsift::Symbolizer symbolizer;
  const auto frames = frames_of_this_process(symbolizer, {.ip = 0x10, .mode = perfsift::CpuMode::user});
  ASSERT_THAT(frames, SizeIs(1));
  EXPECT_EQ(frames[0].function, "[unknown]");
  EXPECT_FALSE(frames[0].named);
  const auto kernel = frames_of_this_process(symbolizer, {.ip = 0xffffffff81000000, .mode = perfsift::CpuMode::kernel});
  ASSERT_THAT(kernel, SizeIs(1));
  EXPECT_EQ(kernel[0].function, "[kernel]");
  EXPECT_EQ(kernel[0].kind, perfsift::FrameKind::kernel);
}

// The values of union perf_mem_data_src in include/uapi/linux/perf_event.h: a load that another cache answered.
TEST(Sampling, DataSourceOfASampleIsDecoded) {
  LiveSample sample;
  sample.address = 0x1000, sample.physical_address = 0x2000, sample.latency = 70;
  sample.data_source = 0x2 | 0x10ULL << 19 | 0x3ULL << 33;  // mem_op load, mem_snoop HITM, mem_lvl_num L3
  const perfsift::MemoryAccess access = memory_access(sample);
  EXPECT_EQ(access.operation, perfsift::MemoryOperation::load);
  EXPECT_EQ(access.level, perfsift::MemoryLevel::l3);
  EXPECT_EQ(access.snoop, perfsift::MemorySnoop::modified);
  EXPECT_EQ(access.address, 0x1000u);
  EXPECT_EQ(access.physical_address, 0x2000u);
  EXPECT_EQ(access.latency, 70u);
}

// --- start and stop ---

TEST(Sampling, StoppedSamplerTakesNothing) {
  SKIP_IF_REFUSED(faults);
  FreshPages pages(60);
  Sampler sampler(faults);
  for (std::size_t page = 0; page < 20; ++page) pages.touch(page);
  EXPECT_TRUE(sampler.start());
  EXPECT_TRUE(sampler.start());  // goes on
  for (std::size_t page = 20; page < 40; ++page) pages.touch(page);
  EXPECT_TRUE(sampler.stop());
  EXPECT_TRUE(sampler.stop());
  for (std::size_t page = 40; page < 60; ++page) pages.touch(page);
  const auto sampled = pages.sampled(sampler.take());
  ASSERT_THAT(sampled, SizeIs(20));
  EXPECT_EQ(sampled.front(), pages.address(20));
  EXPECT_EQ(sampled.back(), pages.address(39));
  EXPECT_THAT(sampler.take().samples(), IsEmpty());
}

TEST(Sampling, StartAndStopAllocateNothing) {
  SKIP_IF_REFUSED(faults);
  SamplingOptions options = faults;
  options.process = true;
  Sampler sampler(options);
  const std::size_t before = perfsift::test::allocated();
  for (int i = 0; i < 100; ++i) sampler.start(), sampler.stop();
  EXPECT_EQ(perfsift::test::allocated(), before);
}

Sampler* switched_by_signals = nullptr;
std::atomic<int> switches = 0;

void switch_on(int) { switches += switched_by_signals->start() ? 1 : 0; }
void switch_off(int) { switches += switched_by_signals->stop() ? 1 : 0; }

TEST(Sampling, SignalHandlersStartAndStop) {
  SKIP_IF_REFUSED(faults);
  FreshPages pages(30);
  Sampler sampler(faults);
  switched_by_signals = &sampler, switches = 0;
  const auto on = std::signal(SIGUSR1, switch_on), off = std::signal(SIGUSR2, switch_off);
  errno = 77;
  std::raise(SIGUSR1);
  EXPECT_EQ(errno, 77);
  for (std::size_t page = 0; page < 15; ++page) pages.touch(page);
  std::raise(SIGUSR2);
  for (std::size_t page = 15; page < 30; ++page) pages.touch(page);
  std::signal(SIGUSR1, on), std::signal(SIGUSR2, off);
  EXPECT_EQ(switches, 2);
  EXPECT_THAT(pages.sampled(sampler.take()), SizeIs(15));
}

// A handler that waited for a lock of the thread that it interrupts would hang.
TEST(Sampling, SignalsInterruptTake) {
  SKIP_IF_REFUSED(faults);
  Sampler sampler(faults);
  switched_by_signals = &sampler, switches = 0;
  const auto on = std::signal(SIGUSR1, switch_on);
  std::atomic<bool> taken = false;
  const pthread_t taker = pthread_self();
  std::thread signals([&] {
    for (int i = 0; i < 200 || switches == 0; ++i) pthread_kill(taker, SIGUSR1);
    taken = true;
  });
  while (!taken) sampler.take();
  signals.join();
  std::signal(SIGUSR1, on);
  EXPECT_GT(switches, 0);
}

TEST(Sampling, NestedSamplersAreIndependent) {
  SKIP_IF_REFUSED(faults);
  FreshPages pages(30);
  Sampler outer(faults), inner(faults);
  {
    const SamplingScope around(outer);
    for (std::size_t page = 0; page < 10; ++page) pages.touch(page);
    {
      const SamplingScope inside(inner);
      for (std::size_t page = 10; page < 20; ++page) pages.touch(page);
    }
    for (std::size_t page = 20; page < 30; ++page) pages.touch(page);
  }
  EXPECT_THAT(pages.sampled(outer.take()), SizeIs(30));
  EXPECT_THAT(pages.sampled(inner.take()), SizeIs(10));
}

TEST(Sampling, SamplesOutliveTheirSampler) {
  SKIP_IF_REFUSED(faults);
  FreshPages pages(5);
  SamplingOptions options = faults;
  options.callchains = true;
  auto sampler = std::make_unique<Sampler>(options);
  sampler->start();
  pages.touch_all();
  sampler->stop();
  const LiveSamples samples = sampler->take();
  sampler.reset();
  ASSERT_THAT(pages.sampled(samples), SizeIs(5));
  for (const LiveSample& sample : samples) EXPECT_THAT(sample.callchain, SizeIs(Ge(2u)));
}

// --- losses ---

// One page of ring has room for few samples. Records of other types do not exist in the ring of a sampler.
TEST(Sampling, ReceivedAndLostSamplesAreAllFaults) {
  SamplingOptions options = faults;
  options.ring_bytes = 1;
  SKIP_IF_REFUSED(options);
  FreshPages pages(500);
  Sampler small(options), large(faults);
  small.start(), large.start();
  pages.touch_all();
  large.stop(), small.stop();
  const std::size_t all = large.take().size(), received = small.take().size();
  ASSERT_EQ(large.lost(), 0u);
  EXPECT_LT(received, 100u);
  // Both see what happens between the calls of start() and stop(), and each also sees the calls around the other.
  EXPECT_GE(received + small.lost(), all);
  EXPECT_LE(received + small.lost(), all + 20);
}

TEST(Sampling, SamplesAreTakenWhileTheSamplerRuns) {
  SamplingOptions options = faults;
  options.ring_bytes = std::size_t{16} << 10;
  SKIP_IF_REFUSED(options);
  FreshPages pages(1000);
  Sampler sampler(options);
  sampler.start();
  std::vector<std::uint64_t> sampled;
  for (std::size_t page = 0; page < 1000; ++page) {
    pages.touch(page);
    if (page % 50 != 49) continue;
    const auto some = pages.sampled(sampler.take());
    sampled.insert(sampled.end(), some.begin(), some.end());
  }
  sampler.stop();
  EXPECT_THAT(sampled, ElementsAreArray(pages.all()));
}

}  // namespace
