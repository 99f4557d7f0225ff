// Which threads and stacks a report begins with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/offcpu/analysis.h"

namespace perfsift::offcpu {

enum class SortKey : std::uint8_t { involuntary, off_cpu, blocked, run_queue, longest, intervals, p99_9 };

// As --sort has it. Throws UsageError for any other.
SortKey sort_key(const std::string& name);
// What is sorted by, for the title of a table.
std::string_view title_of(SortKey key);

// The largest of these indexes first. By involuntary waits, threads of the kernel and their stacks come after all
// others: `of_kernel` is by ThreadNumber, and false of what is not known.
std::vector<ThreadNumber> top_threads(const Analysis& analysis, const std::vector<bool>& of_kernel, SortKey key,
                                      std::size_t count);
// Without no_stack, and by the longest where P99.9 is asked for.
std::vector<StackId> top_stacks(const Analysis& analysis, const std::vector<bool>& of_kernel, SortKey key,
                                std::size_t count);
// The longest time first.
std::vector<std::uint32_t> top(const std::vector<IntervalSums>& sums, std::size_t count);

}  // namespace perfsift::offcpu
