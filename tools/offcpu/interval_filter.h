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
#include "tools/offcpu/thread_clock.h"

namespace perfsift::offcpu {

// What an option says as "500us", "1.5ms", "2s", "800ns"; a number alone is of `unit` nanoseconds. Throws UsageError.
std::uint64_t duration_option(const std::string& option, const std::string& text, std::uint64_t unit);

class IntervalFilter {
 public:
  void add_to(boost::program_options::options_description& options);
  // Once the options have been parsed. Throws UsageError.
  void prepare();

  bool keeps(const ThreadClock& thread, const reader::Timeline& timeline, std::uint64_t now) const;
  bool keeps(const Interval& interval) const;
  // Whether any interval is left out.
  bool any() const {
    return !pids_.empty() || !tids_.empty() || user_ || kernel_ || min_block_ != 0 || max_block_ != ~std::uint64_t{0} ||
           letters_ || mask_;
  }

 private:
  std::vector<std::int32_t> pid_list_;
  std::vector<std::int32_t> tid_list_;
  std::string min_text_, max_text_, states_text_;

  std::set<std::int32_t> pids_, tids_;
  bool user_ = false;
  bool kernel_ = false;
  std::uint64_t min_block_ = 0;
  std::uint64_t max_block_ = ~std::uint64_t{0};
  std::optional<std::set<char>> letters_;
  std::optional<std::uint32_t> mask_;
};

}  // namespace perfsift::offcpu
