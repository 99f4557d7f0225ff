// The options of an IntervalFilter: those of bcc's offcputime, and lists as perf takes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/offcpu/interval_filter.h"
#include "options/command_line.h"

namespace perfsift::options {

// The nanoseconds of "500us", "1.5ms", "2s" or "800ns"; a plain number counts `unit` nanoseconds. Throws UsageError.
std::uint64_t duration_option(const std::string& option, const std::string& text, std::uint64_t unit);

class IntervalFilterOptions {
 public:
  void add_to(po::options_description& options);
  // The limits given by the options. Call it after the options have been parsed. Throws UsageError.
  offcpu::IntervalLimits limits() const;

 private:
  std::vector<std::string> pid_lists_, more_pid_lists_, tid_lists_, more_tid_lists_, comm_lists_;
  bool user_ = false;
  bool kernel_ = false;
  std::string min_text_, max_text_, states_text_;
};

}  // namespace perfsift::options
