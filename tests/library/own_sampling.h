// Help for tests that sample themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <perfsift/error.h>
#include <perfsift/sampling.h>
#include <sys/mman.h>
#include <unistd.h>

namespace perfsift::test {

// Why the event cannot be opened here; empty: it can.
inline std::string refusal(const SamplingOptions& options) {
  try {
    Sampler sampler(options);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unavailable) throw;
    return error.what();
  }
  return {};
}

inline const SamplingOptions faults{.event = "page-faults", .period = 1, .user_only = true};

#define SKIP_IF_REFUSED(...)                                                          \
  if (const std::string why = ::perfsift::test::refusal(__VA_ARGS__); !why.empty()) { \
    GTEST_SKIP() << why;                                                              \
  }                                                                                   \
  static_assert(true)

// Pages that have no memory: each is a fault when something touches it first.
class FreshPages {
 public:
  explicit FreshPages(std::size_t count) : count_(count), size_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    void* memory = mmap(nullptr, count * size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    madvise(memory, count * size_, MADV_NOHUGEPAGE);
    bytes_ = static_cast<volatile char*>(memory);
  }
  ~FreshPages() { munmap(const_cast<char*>(bytes_), count_ * size_); }
  FreshPages(const FreshPages&) = delete;
  FreshPages& operator=(const FreshPages&) = delete;

  void touch(std::size_t page) { bytes_[page * size_] = 1; }
  void touch_all() {
    for (std::size_t page = 0; page < count_; ++page) touch(page);
  }
  std::uint64_t address(std::size_t page) const { return reinterpret_cast<std::uint64_t>(bytes_) + page * size_; }
  bool have(std::uint64_t address) const {
    return address >= this->address(0) && address - this->address(0) < count_ * size_;
  }
  // The addresses of samples that lie in these pages.
  std::vector<std::uint64_t> sampled(const LiveSamples& samples) const {
    std::vector<std::uint64_t> addresses;
    for (const LiveSample& sample : samples) {
      if (have(sample.address)) addresses.push_back(sample.address);
    }
    return addresses;
  }
  std::vector<std::uint64_t> all() const {
    std::vector<std::uint64_t> addresses;
    for (std::size_t page = 0; page < count_; ++page) addresses.push_back(address(page));
    return addresses;
  }

 private:
  const std::size_t count_, size_;
  volatile char* bytes_ = nullptr;
};

inline std::int32_t own_tid() { return static_cast<std::int32_t>(gettid()); }

}  // namespace perfsift::test
