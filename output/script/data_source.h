// PERF_SAMPLE_DATA_SRC in words: which level of memory a load or store was served from.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/samples/style.h"

namespace perfsift::output {

// "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A":
// perf_script__meminfo_scnprintf() in tools/perf/util/mem-events.c.
std::string data_source_text(std::uint64_t data_src, analysis::PerfStyle style = analysis::PerfStyle::newest);
// The number and the text, cut where perf cuts them.
std::string data_source_column(std::uint64_t data_src, analysis::PerfStyle style);

}  // namespace perfsift::output
