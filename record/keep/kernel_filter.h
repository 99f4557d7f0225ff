// The kernel's language of tracepoint filters: kernel/trace/trace_events_filter.c.
//
// The language has && || ! and parentheses over comparisons of a field with a constant: == != < <= > >= of numbers, &
// of bits, == != ~ of texts, where ~ takes a glob. It has no fields on both sides, no sets, and no letters for the
// states of tasks. `COMM` and `CPU` stand for the running thread's name and the CPU (trace_define_generic_fields()).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "filter/filter.h"
#include "reader/tracepoint.h"
#include "record/keep/condition.h"

namespace perfsift::record {

struct KernelFilter {
  std::string text;
  bool exact = true;         // the filter keeps the same samples as the condition; else more
  bool is_compound = false;  // has && or || outside of parentheses
};

// Nothing if the kernel cannot decide any part of the condition. The filter never drops a sample that satisfies the
// condition.
std::optional<KernelFilter> kernel_filter(const Condition& condition, const filter::Filter& filter,
                                          const reader::TracepointFormat& format);

// The longest filter: strndup_user() in perf_event_set_filter() takes a page, with the NUL.
inline constexpr std::size_t longest_kernel_filter = 4095;

// All filters, at least one.
KernelFilter all_of(const std::vector<KernelFilter>& filters);

}  // namespace perfsift::record
