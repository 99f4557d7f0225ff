// --sort of report, diff, top and mem.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/report.h"
#include "analysis/samples/frame_namer.h"
#include "analysis/table/key.h"
#include "filter/sample_facts.h"

namespace perfsift::tools {

// The keys of a list such as "comm,dso,symbol". Throws UsageError for a name that is no key of these rows (with the
// reason, if perf has it), for a key that is named twice, and for more keys than a table of accesses can have.
analysis::Keys sort_keys(analysis::RowsOf rows, const std::string& list);

// Of report, diff and top: "self" or "total". Throws UsageError.
analysis::RowOrder row_order(const std::string& text);
// What frames must know for these keys.
analysis::FrameDetail detail_for(const analysis::Keys& keys);
// Whether a report by these keys needs a SampleTable. A profile knows names of threads only as frames of folded stacks,
// without blanks at their end.
bool need_table(const analysis::Keys& keys);
// The numbers that the keys need from samples.
std::vector<filter::Fact> numbers_behind(const analysis::Keys& keys);
// The labels of a store's recordings that are keys.
std::vector<std::string> labels_behind(const analysis::Keys& keys);
// Whether the values of a key mean the same in two recordings.
bool is_comparable(analysis::Key key);

}  // namespace perfsift::tools
