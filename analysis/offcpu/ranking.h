// The order of threads and stacks in a report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/offcpu/analysis.h"

namespace perfsift::offcpu {

enum class RankedBy : std::uint8_t { involuntary, off_cpu, blocked, run_queue, longest, intervals, p99_9 };

// The key for a value of --sort. Throws UsageError for unknown values.
RankedBy ranked_by(const std::string& name);
// All values of --sort.
std::vector<std::string_view> ranking_names();
// The sort key in words, for the title of a table.
std::string_view title_of(RankedBy key);

// The threads with the largest values, largest first. In the order by involuntary waits, kernel threads and their
// stacks come last. `of_kernel`: by ThreadNumber; false where unknown.
std::vector<ThreadNumber> top_threads(const Analysis& analysis, const std::vector<bool>& of_kernel, RankedBy key,
                                      std::size_t count);
// The stacks with the largest values, without no_stack. P99.9 is not known by stack: the longest interval is used
// instead.
std::vector<StackId> top_stacks(const Analysis& analysis, const std::vector<bool>& of_kernel, RankedBy key,
                                std::size_t count);
// The indexes with the largest total times, largest first.
std::vector<std::uint32_t> top(const std::vector<IntervalSums>& sums, std::size_t count);

}  // namespace perfsift::offcpu
