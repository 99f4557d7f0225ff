// A filter expression inside perf.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dlfilters/module/perf_sample.h"
#include "filter/filter.h"

namespace perfsift::dlfilter {

// Expressions of --filter, and the arguments of perfsift-filter.so, as PerfFilter takes them.
std::vector<filter::FilterText> filter_texts(const std::vector<std::string>& expressions);

// Not thread-safe.
class PerfFilter {
 public:
  // Keeps samples that all expressions keep. Throws UsageError for an expression that is wrong, or that needs what perf
  // does not give a dlfilter.
  explicit PerfFilter(const std::vector<filter::FilterText>& texts);

  // Whether the sample may be kept. Decides at once where no name is needed for it, so that perf need not look for one
  // either.
  bool keeps_early(PerfSample& sample);
  // Whether the sample is kept: the one that keeps_early() was asked about last.
  bool keeps(PerfSample& sample);

 private:
  const filter::Filter filter_;
  filter::FilterState state_;
  const bool early_;             // a first look without names can decide
  std::optional<bool> decided_;  // by it
};

}  // namespace perfsift::dlfilter
