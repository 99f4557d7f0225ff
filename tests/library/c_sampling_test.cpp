#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <perfsift/perfsift.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/allocated.h"

namespace {

using ::testing::HasSubstr;

constexpr std::size_t page_count = 50;

// The sampler of a test; nullptr: the machine refuses, and `why` says why.
struct FaultSampler {
  explicit FaultSampler(perfsift_sampling_options options = PERFSIFT_SAMPLING_OPTIONS_INIT) {
    options.event = "page-faults:u";
    options.period = 1;
    perfsift_error* error = nullptr;
    handle = perfsift_sampler_new(&options, &error);
    why = perfsift_error_message(error);
    perfsift_error_free(error);
  }
  ~FaultSampler() { perfsift_sampler_free(handle); }
  FaultSampler(const FaultSampler&) = delete;
  FaultSampler& operator=(const FaultSampler&) = delete;

  perfsift_sampler* handle = nullptr;
  std::string why;
};
#define SKIP_IF_SAMPLER_REFUSED(sampler)                          \
  if ((sampler).handle == nullptr) GTEST_SKIP() << (sampler).why; \
  static_assert(true)

// Touches fresh pages and returns the first address.
std::uint64_t touch_pages() {
  const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* memory = mmap(nullptr, page_count * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  madvise(memory, page_count * size, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < page_count; ++i) static_cast<volatile char*>(memory)[i * size] = 1;
  munmap(memory, page_count * size);
  return reinterpret_cast<std::uint64_t>(memory);
}

template <typename Value>
std::vector<Value> array(perfsift_live_samples* samples, const char* name, int type) {
  perfsift_array found{};
  EXPECT_EQ(perfsift_live_samples_array(samples, name, &found, nullptr), PERFSIFT_OK) << name;
  EXPECT_EQ(found.type, type) << name;
  const auto* values = static_cast<const Value*>(found.data);
  return {values, values + found.count};
}

TEST(CSampling, StructsAndArraysHaveTheSamples) {
  const FaultSampler sampler;
  SKIP_IF_SAMPLER_REFUSED(sampler);
  ASSERT_EQ(perfsift_sampler_start(sampler.handle), PERFSIFT_OK);
  const std::uint64_t first = touch_pages();
  ASSERT_EQ(perfsift_sampler_stop(sampler.handle), PERFSIFT_OK);
  perfsift_live_samples* samples = perfsift_sampler_take(sampler.handle, nullptr);
  const auto addresses = array<std::uint64_t>(samples, "address", PERFSIFT_UINT64);
  const auto tids = array<std::int32_t>(samples, "tid", PERFSIFT_INT32);
  const auto starts = array<std::uint64_t>(samples, "stack_starts", PERFSIFT_UINT64);
  const auto stacks = array<std::uint64_t>(samples, "stack_address", PERFSIFT_UINT64);
  ASSERT_EQ(addresses.size(), perfsift_live_samples_count(samples));
  ASSERT_EQ(starts.size(), addresses.size() + 1);
  std::size_t found = 0;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    perfsift_live_sample sample = PERFSIFT_LIVE_SAMPLE_INIT;
    ASSERT_EQ(perfsift_live_samples_get(samples, i, &sample, nullptr), PERFSIFT_OK);
    EXPECT_EQ(sample.address, addresses[i]);
    EXPECT_EQ(sample.tid, tids[i]);
    EXPECT_EQ(sample.mode, 2);
    EXPECT_EQ(stacks[starts[i]], sample.ip);
    found += sample.address - first < page_count * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) ? 1 : 0;
  }
  EXPECT_EQ(found, page_count);
  std::uint64_t lost = 7;
  EXPECT_EQ(perfsift_sampler_lost(sampler.handle, &lost, nullptr), PERFSIFT_OK);
  EXPECT_EQ(lost, 0u);
  perfsift_live_samples_free(samples);
}

TEST(CSampling, EventIsDescribedAsItWasOpened) {
  const FaultSampler sampler;
  SKIP_IF_SAMPLER_REFUSED(sampler);
  EXPECT_EQ(perfsift_sampler_events(sampler.handle), 1u);
  perfsift_event event = PERFSIFT_EVENT_INIT;
  ASSERT_EQ(perfsift_sampler_event(sampler.handle, 0, &event, nullptr), PERFSIFT_OK);
  EXPECT_STREQ(event.name, "page-faults:u");
  EXPECT_EQ(event.period, 1u);
  EXPECT_EQ(perfsift_sampler_event(sampler.handle, 1, &event, nullptr), PERFSIFT_ERROR_USAGE);
  EXPECT_STREQ(perfsift_sampler_choice(sampler.handle), "");
  EXPECT_EQ(perfsift_sampler_left_out(sampler.handle, 0), nullptr);
  EXPECT_EQ(perfsift_sampler_is_inert(sampler.handle), 0);
}

void expect_errors_of(perfsift_sampler* wrong) {
  EXPECT_EQ(perfsift_sampler_start(wrong), PERFSIFT_ERROR_USAGE);
  EXPECT_EQ(perfsift_sampler_stop(wrong), PERFSIFT_ERROR_USAGE);
  EXPECT_EQ(perfsift_sampler_take(wrong, nullptr), nullptr);
  EXPECT_EQ(perfsift_sampler_events(wrong), 0u);
  EXPECT_STREQ(perfsift_sampler_choice(wrong), "");
  perfsift_sampler_free(wrong);
}

TEST(CSampling, ForeignHandlesAreErrors) {
  int foreign = 0;
  expect_errors_of(nullptr);
  expect_errors_of(reinterpret_cast<perfsift_sampler*>(&foreign));
}

TEST(CSampling, FreedHandlesAreErrors) {
  perfsift_sampler* freed = nullptr;
  {
    const FaultSampler sampler;
    SKIP_IF_SAMPLER_REFUSED(sampler);
    freed = sampler.handle;
  }
  expect_errors_of(freed);
}

TEST(CSampling, WrongEventIsAnErrorThatNamesTheRightOne) {
  perfsift_sampling_options options = PERFSIFT_SAMPLING_OPTIONS_INIT;
  options.event = "page-fualts";
  perfsift_error* error = nullptr;
  EXPECT_EQ(perfsift_sampler_new(&options, &error), nullptr);
  EXPECT_EQ(perfsift_error_code(error), PERFSIFT_ERROR_USAGE);
  EXPECT_THAT(perfsift_error_message(error), HasSubstr("page-faults"));
  perfsift_error_free(error);
}

perfsift_sampler* of_handler = nullptr;
volatile std::sig_atomic_t handled = -1;
void start_in_handler(int) { handled = perfsift_sampler_start(of_handler); }

TEST(CSampling, HandleIsFoundInASignalHandlerWithoutAllocation) {
  const FaultSampler sampler;
  SKIP_IF_SAMPLER_REFUSED(sampler);
  of_handler = sampler.handle;
  const auto before = std::signal(SIGUSR1, start_in_handler);
  const std::size_t memory = perfsift::test::allocated();
  std::raise(SIGUSR1);
  EXPECT_EQ(perfsift::test::allocated(), memory);
  std::signal(SIGUSR1, before);
  EXPECT_EQ(handled, PERFSIFT_OK);
}

TEST(CSampling, ChildOfForkIsToldThatItsSamplerDoesNothing) {
  FaultSampler sampler;
  SKIP_IF_SAMPLER_REFUSED(sampler);
  const pid_t child = fork();
  if (child == 0) {
    const bool inert = perfsift_sampler_is_inert(sampler.handle) == 1 &&
                       perfsift_sampler_start(sampler.handle) == PERFSIFT_ERROR_UNAVAILABLE;
    perfsift_sampler_free(sampler.handle);
    _exit(inert && perfsift_sampler_start(sampler.handle) == PERFSIFT_ERROR_USAGE ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(perfsift_sampler_start(sampler.handle), PERFSIFT_OK);
}

TEST(CSampling, OwnAddressHasItsName) {
  perfsift_symbolizer* symbolizer = perfsift_symbolizer_new(nullptr, nullptr);
  std::vector<std::string> names;
  const auto add = [](void* data, const perfsift_frame* frame) {
    static_cast<std::vector<std::string>*>(data)->emplace_back(frame->function);
  };
  const auto address = reinterpret_cast<std::uint64_t>(&start_in_handler);
  EXPECT_EQ(perfsift_symbolizer_own_frames(symbolizer, address, 2, 0, add, &names, nullptr), PERFSIFT_OK);
  ASSERT_FALSE(names.empty());
  EXPECT_THAT(names.back(), HasSubstr("start_in_handler"));
  EXPECT_EQ(perfsift_symbolizer_own_frames(symbolizer, address, 9, 0, add, &names, nullptr), PERFSIFT_ERROR_USAGE);
  perfsift_symbolizer_free(symbolizer);
}

}  // namespace
