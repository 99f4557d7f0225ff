// PERF_SAMPLE_DATA_SRC in perf's words: which level of memory served a load or store.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/samples/style.h"
#include "analysis/table/key.h"
#include "base/data_source.h"

namespace perfsift::analysis {

// The parts in the form of perf mem report: perf_mem__*_scnprintf() in tools/perf/util/mem-events.c. Unknown values are
// printed as numbers, or as "N/A" where perf does so.
std::string_view operation_text(const DataSource& source);                              // "LOAD"
std::string level_text(const DataSource& source, PerfStyle style = PerfStyle::newest);  // "L1 hit"
std::string snoop_text(const DataSource& source);                                       // "HitM"
std::string tlb_text(const DataSource& source);                                         // "L1 or L2 hit"
std::string_view lock_text(const DataSource& source);                                   // "Yes"
std::string_view blocked_text(const DataSource& source);                                // "Data"
// The text of one part, without trailing blanks. `key`: one that is_of_source().
std::string part_text(Key key, const DataSource& source);

// "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A":
// perf_script__meminfo_scnprintf() in tools/perf/util/mem-events.c.
std::string data_source_text(std::uint64_t data_src, PerfStyle style = PerfStyle::newest);
// The number and the text, cut at perf's length.
std::string data_source_column(std::uint64_t data_src, PerfStyle style);

}  // namespace perfsift::analysis
