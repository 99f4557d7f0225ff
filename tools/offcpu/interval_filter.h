// Which intervals are looked at: the filters of bcc's offcputime.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "reader/timeline.h"
#include "tools/offcpu/interval.h"
#include "tools/offcpu/names.h"
#include "tools/offcpu/thread_clock.h"

namespace perfsift::offcpu {

// What an option says as "500us", "1.5ms", "2s", "800ns"; a number alone is of `unit` nanoseconds. Throws UsageError.
std::uint64_t duration_option(const std::string& option, const std::string& text, std::uint64_t unit);

// Whether a thread is one of the kernel's own, by who made it. False where that is not recorded.
bool is_kernel_thread(const ThreadClock& thread, const reader::Timeline& timeline, std::uint64_t now);

class IntervalFilter {
 public:
  void add_to(boost::program_options::options_description& options);
  // Once the options have been parsed. Throws UsageError.
  void prepare();

  // `names`: of the thread, as it is called last.
  bool keeps(const ThreadClock& thread, const reader::Timeline& timeline, const Names& names, std::uint64_t now) const;
  bool keeps(const Interval& interval) const;
  // Whether threads are left out, or some intervals of one.
  bool of_threads() const { return !pids_.empty() || !tids_.empty() || !comms_.empty() || user_ || kernel_; }
  bool of_intervals() const { return min_block_ != 0 || max_block_ != ~std::uint64_t{0} || letters_ || mask_; }
  bool any() const { return of_threads() || of_intervals(); }

 private:
  enum class Known : std::uint8_t { not_yet, no, yes };

  bool keeps_name(const ThreadClock& thread, const Names& names) const;

  std::vector<std::string> pid_lists_, more_pid_lists_, tid_lists_, more_tid_lists_, comm_lists_;
  std::string min_text_, max_text_, states_text_;

  std::set<std::int32_t> pids_, tids_;
  std::set<std::string> comms_;
  mutable std::vector<Known> known_names_;  // by ThreadClock::name
  bool user_ = false;
  bool kernel_ = false;
  std::uint64_t min_block_ = 0;
  std::uint64_t max_block_ = ~std::uint64_t{0};
  std::optional<std::set<char>> letters_;
  std::optional<std::uint32_t> mask_;
};

}  // namespace perfsift::offcpu
