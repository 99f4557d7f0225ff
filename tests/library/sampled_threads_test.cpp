#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <set>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <perfsift/error.h>
#include <perfsift/sampling.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/library/own_sampling.h"

namespace {

using perfsift::Error;
using perfsift::ErrorCode;
using perfsift::LiveSample;
using perfsift::LiveSamples;
using perfsift::Sampler;
using perfsift::SamplingOptions;
using perfsift::test::faults;
using perfsift::test::FreshPages;
using perfsift::test::own_tid;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// --- whom ---

TEST(Sampling, AnotherThreadIsSampled) {
  SKIP_IF_REFUSED(faults);
  FreshPages pages(40);
  std::atomic<std::int32_t> tid = 0;
  std::atomic<bool> go = false;
  std::thread other([&] {
    tid = own_tid();
    while (!go) std::this_thread::yield();
    for (std::size_t page = 0; page < 25; ++page) pages.touch(page);
  });
  while (tid == 0) std::this_thread::yield();
  SamplingOptions options = faults;
  options.tid = tid;
  Sampler sampler(options);
  sampler.start();
  go = true;
  other.join();
  for (std::size_t page = 25; page < 40; ++page) pages.touch(page);
  sampler.stop();
  const LiveSamples samples = sampler.take();
  EXPECT_THAT(pages.sampled(samples), SizeIs(25));
  for (const LiveSample& sample : samples) EXPECT_EQ(sample.tid, tid);
}

TEST(Sampling, AllThreadsOfAProcessAreSampledAlsoLaterOnes) {
  SamplingOptions options = faults;
  options.process = true;
  SKIP_IF_REFUSED(options);
  FreshPages pages(60);
  std::atomic<bool> go = false;
  std::atomic<std::int32_t> first = 0, later = 0;
  std::thread before([&] {
    first = own_tid();
    while (!go) std::this_thread::yield();
    for (std::size_t page = 0; page < 20; ++page) pages.touch(page);
  });
  while (first == 0) std::this_thread::yield();
  Sampler sampler(options);
  sampler.start();
  go = true;
  std::thread after([&] {
    later = own_tid();
    for (std::size_t page = 20; page < 40; ++page) pages.touch(page);
  });
  for (std::size_t page = 40; page < 60; ++page) pages.touch(page);
  before.join(), after.join();
  EXPECT_TRUE(sampler.stop());  // also the events of threads that have ended
  const LiveSamples samples = sampler.take();
  auto sampled = pages.sampled(samples);
  std::ranges::sort(sampled);
  EXPECT_THAT(sampled, ElementsAreArray(pages.all()));
  std::set<std::int32_t> tids;
  for (const LiveSample& sample : samples) {
    if (pages.have(sample.address)) tids.insert(sample.tid);
  }
  EXPECT_EQ(tids, (std::set<std::int32_t>{own_tid(), first.load(), later.load()}));
  EXPECT_TRUE(std::ranges::is_sorted(samples.samples(), {}, &LiveSample::time));
}

TEST(Sampling, ChildOfForkIsNeitherSampledNorHasItASampler) {
  SamplingOptions options = faults;
  options.process = true;
  SKIP_IF_REFUSED(options);
  FreshPages pages(20);
  auto* sampler = new Sampler(options);
  sampler->start();
  const pid_t child = fork();
  if (child == 0) {
    for (std::size_t page = 0; page < 10; ++page) pages.touch(page);
    const bool inert = sampler->is_inert() && !sampler->start() && !sampler->stop() && sampler->lost() == 0 &&
                       sampler->take().samples().empty();
    delete sampler;  // the parent's goes on
    _exit(inert ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(sampler->is_inert());
  for (std::size_t page = 10; page < 20; ++page) pages.touch(page);
  sampler->stop();
  const LiveSamples samples = sampler->take();
  EXPECT_THAT(pages.sampled(samples), SizeIs(10));
  for (const LiveSample& sample : samples) EXPECT_EQ(sample.pid, getpid());
  delete sampler;
}

std::set<int> descriptors() {
  std::set<int> open;
  for (int fd = 0; fd < 256; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) open.insert(fd);
  }
  return open;
}

TEST(Sampling, ExecutedProgramsGetNoDescriptorAndNoneStaysOpen) {
  SKIP_IF_REFUSED(faults);
  const std::set<int> before = descriptors();
  {
    Sampler sampler(faults);
    const std::set<int> during = descriptors();
    EXPECT_GT(during.size(), before.size());
    for (const int fd : during) {
      if (!before.contains(fd)) {
        EXPECT_EQ(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
      }
    }
  }
  EXPECT_EQ(descriptors(), before);
}

// --- what is refused ---

Error error_of(const SamplingOptions& options) {
  try {
    Sampler sampler(options);
  } catch (const Error& error) {
    return error;
  }
  return {ErrorCode::internal, "nothing is wrong"};
}

TEST(Sampling, OptionsThatContradictEachOtherAreRefused) {
  const auto is_usage = [](const SamplingOptions& options) { return error_of(options).code() == ErrorCode::usage; };
  EXPECT_TRUE(is_usage({.event = "page-faults", .preset = "cpu"}));
  EXPECT_TRUE(is_usage({.event = "page-faults", .period = 1, .frequency = 1}));
  EXPECT_TRUE(is_usage({.event = "page-faults", .tid = own_tid(), .process = true}));
  EXPECT_TRUE(is_usage({.event = "page-faults", .tid = 1}));  // a thread of another process
  EXPECT_TRUE(is_usage({.event = "page-faults", .tid = -5}));
  EXPECT_TRUE(is_usage({.preset = "no-such"}));
  EXPECT_TRUE(is_usage({.event = "page-faults:k", .user_only = true}));
  EXPECT_THAT(error_of({.event = "page-fualts"}).what(), HasSubstr("page-faults"));
}

bool has_core_pmu() {
  return access("/sys/bus/event_source/devices/cpu", F_OK) == 0 ||
         access("/sys/bus/event_source/devices/cpu_core", F_OK) == 0 ||
         access("/sys/bus/event_source/devices/ibs_op", F_OK) == 0 ||
         access("/sys/bus/event_source/devices/arm_spe_0", F_OK) == 0;
}

TEST(Sampling, MachineThatSamplesNoMemoryAccessesIsNamed) {
  if (has_core_pmu()) GTEST_SKIP() << "this machine has a PMU";
  const Error error = error_of({.preset = "mem"});
  EXPECT_EQ(error.code(), ErrorCode::unavailable);
  EXPECT_THAT(error.what(), HasSubstr("this machine samples no memory accesses"));
  const Error cycles = error_of({.event = "instructions"});
  EXPECT_EQ(cycles.code(), ErrorCode::unavailable);
  EXPECT_THAT(cycles.what(), HasSubstr("cannot open event 'instructions' of thread"));
}

TEST(Sampling, PresetSaysWhatItChose) {
  SKIP_IF_REFUSED(faults);  // a refused preset does not say why
  const Sampler sampler({.preset = "faults"});
  EXPECT_THAT(sampler.choice(), HasSubstr("page faults"));
  ASSERT_THAT(sampler.events(), SizeIs(1));
  EXPECT_EQ(sampler.events()[0].period, 1u);
  EXPECT_EQ(sampler.events()[0].name.substr(0, 11), "page-faults");
}

// Users whom perf_event_paranoid forbids the kernel sample without it.
TEST(Sampling, UserWithoutPrivilegesSamplesWithoutTheKernelAndIsToldSo) {
  if (getuid() != 0) GTEST_SKIP() << "only root can become another user";
  int paranoid = -1;
  if (std::FILE* file = std::fopen("/proc/sys/kernel/perf_event_paranoid", "r")) {
    if (std::fscanf(file, "%d", &paranoid) != 1) paranoid = -1;
    std::fclose(file);
  }
  if (paranoid != 2) GTEST_SKIP() << "perf_event_paranoid is not 2";
  SKIP_IF_REFUSED(faults);
  const pid_t child = fork();
  if (child == 0) {
    if (setgid(65534) != 0 || setuid(65534) != 0) _exit(2);
    try {
      FreshPages pages(7);
      Sampler sampler({.event = "page-faults", .period = 1, .physical_addresses = true});
      sampler.start();
      pages.touch_all();
      sampler.stop();
      const bool said = sampler.left_out().size() == 2 &&
                        sampler.left_out()[0].find("physical addresses") != std::string::npos &&
                        sampler.left_out()[1].find("the kernel is left out") != std::string::npos;
      const bool sampled = pages.sampled(sampler.take()).size() == 7;
      const Sampler chosen({.preset = "cpu"});
      _exit(said && sampled && chosen.left_out().size() == 1 ? 0 : 1);
    } catch (const Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
      _exit(3);
    }
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
