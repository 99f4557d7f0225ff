// Filters that perf and the kernel can apply while they record.
#pragma once

#include <optional>
#include <string>

#include "filter/source_text.h"

namespace perfsift::filter {

// The argument of `perf record --filter` that keeps the same samples.
struct RecordTimeFilter {
  std::string text;
  bool is_of_tracepoint = false;  // the kernel's filter of a tracepoint's events; else perf's BPF filter (since 6.4)
};

// Nothing if there is no such argument. Throws UsageError as Filter::parse() does.
std::optional<RecordTimeFilter> record_time_filter(const FilterText& source);

}  // namespace perfsift::filter
