// --sort of perfsift report.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/report.h"
#include "analysis/report/sort_key.h"
#include "analysis/samples/frame_namer.h"
#include "filter/sample_facts.h"

namespace perfsift::tools {

// The keys of a list such as "comm,dso,symbol". Throws UsageError for a name that is no key, for a key of perf report
// that perfsift does not have, with the reason, and for a key that is named twice.
std::vector<analysis::SortKey> sort_keys(const std::string& list);
// "self" or "total". Throws UsageError.
analysis::RowOrder row_order(const std::string& text);
// What frames must know for these keys.
analysis::FrameDetail detail_for(const std::vector<analysis::SortKey>& keys);
// Whether a report by these keys needs a SampleTable. A profile knows names of threads only as frames of folded stacks,
// without blanks at their end.
bool need_table(const std::vector<analysis::SortKey>& keys);
// The numbers that the keys need from samples.
std::vector<filter::Fact> numbers_behind(const std::vector<analysis::SortKey>& keys);
// The labels of a store's recordings that are keys.
std::vector<std::string> labels_behind(const std::vector<analysis::SortKey>& keys);
// Whether the values of a key mean the same in two recordings.
bool is_comparable(analysis::SortKey key);

}  // namespace perfsift::tools
