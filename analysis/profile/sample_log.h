// The samples of a profile one by one: when each was taken, in which thread, on which CPU, and with which stack.
//
// A Profile adds equal stacks up. Pictures over time, of one thread or of one CPU, and outputs that keep threads apart
// need each sample: 40 bytes for each.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "analysis/profile/profile.h"
#include "base/large_vector.h"
#include "reader/format/record.h"

namespace perfsift::analysis {

// The thread of a sample.
struct SampleContext {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::string comm;    // at the time of the sample
  std::string cgroup;  // path; empty: not recorded
  auto operator<=>(const SampleContext&) const = default;
};

struct LoggedSample {
  static constexpr std::uint32_t no_stack = ~std::uint32_t{0};

  std::uint64_t time = reader::no_time;  // nanoseconds; no_time: not recorded
  std::uint64_t value = 0;               // see Weight
  std::uint64_t position = 0;            // of its record in a recording: see reader::Moment
  std::uint32_t stack = no_stack;        // number in the profile; no_stack: without frames
  std::uint32_t context = 0;             // index into SampleLog::contexts()
  std::int32_t cpu = -1;                 // -1: not recorded
  std::uint32_t event : 24 = 0;          // EventId
  std::uint32_t mode : 8 = 0;            // reader::CpuMode
};

// Samples of an input that has only their sums, such as a pprof profile: without times.
struct LoggedAmount {
  static constexpr std::uint32_t no_run = ~std::uint32_t{0};

  Amount amount;
  std::uint32_t stack = LoggedSample::no_stack;
  std::uint32_t context = 0;
  std::int32_t cpu = -1;
  std::uint32_t event : 24 = 0;
  std::uint32_t mode : 8 = 0;
  std::uint32_t run = no_run;  // of a stored profile that keeps its runs apart
  std::uint32_t block = 0;     // the part of the run's time
};

class SampleLog {
 public:
  // The number of a context. Thread-safe.
  std::uint32_t context(const SampleContext& context);
  // Room for so many samples more, which the caller must assign, with any number of threads, before anything else is
  // done with the log.
  std::span<LoggedSample> grow(std::size_t more);
  // Adds samples, in any order. Thread-safe.
  void append(std::span<const LoggedSample> samples);
  void append(const LoggedAmount& amount);
  // Puts the samples in the order of their times; samples without a time come last. Samples of one time are in the
  // order of their records, so that the order does not depend on the threads that added the samples.
  void sort_by_time();

  // Must not be called while another thread adds.
  std::span<const LoggedSample> samples() const { return samples_; }
  std::span<const LoggedAmount> amounts() const { return amounts_; }
  const std::vector<SampleContext>& contexts() const { return contexts_; }

 private:
  std::mutex mutex_;
  UnsetVector<LoggedSample> samples_;
  LargeVector<LoggedAmount> amounts_;
  std::vector<SampleContext> contexts_;
  std::map<SampleContext, std::uint32_t> numbers_;
};

}  // namespace perfsift::analysis
