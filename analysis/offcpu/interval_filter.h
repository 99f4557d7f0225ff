// Selects intervals with the filters of bcc's offcputime.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/offcpu/interval.h"
#include "analysis/offcpu/names.h"
#include "analysis/offcpu/thread_clock.h"

namespace perfsift::offcpu {

// The defaults set no limits; an empty set is no limit.
struct IntervalLimits {
  std::set<std::int32_t> pids, tids;
  std::set<std::string> comms;
  bool user_threads = false;    // no kernel threads
  bool kernel_threads = false;  // only kernel threads
  std::uint64_t min_length = 0;
  std::uint64_t max_length = ~std::uint64_t{0};
  std::optional<std::set<char>> state_letters;  // at the switch
  std::optional<std::uint32_t> state_mask;      // the kernel's bits; 0: only threads that were ready to run
};

// Not thread-safe.
class IntervalFilter {
 public:
  explicit IntervalFilter(IntervalLimits limits = {}) : limits_(std::move(limits)) {}

  const IntervalLimits& limits() const { return limits_; }
  // Uses the thread's latest name.
  bool keeps(const ThreadClock& thread, const Names& names, std::uint64_t now) const;
  bool keeps(const Interval& interval) const;
  // of_threads(): whether the limits leave out whole threads. of_intervals(): whether they leave out some intervals of
  // a thread.
  bool of_threads() const {
    return !limits_.pids.empty() || !limits_.tids.empty() || !limits_.comms.empty() || limits_.user_threads ||
           limits_.kernel_threads;
  }
  bool of_intervals() const {
    return limits_.min_length != 0 || limits_.max_length != ~std::uint64_t{0} || limits_.state_letters ||
           limits_.state_mask;
  }
  bool any() const { return of_threads() || of_intervals(); }

 private:
  enum class Answer : std::uint8_t { not_yet, no, yes };

  bool keeps_name(const ThreadClock& thread, const Names& names) const;

  IntervalLimits limits_;
  mutable std::vector<Answer> answers_;  // by ThreadClock::name
};

}  // namespace perfsift::offcpu
