// The header of a recording as perf's `# ` lines.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>

#include "analysis/samples/style.h"
#include "output/script/fields.h"
#include "output/text_writer.h"
#include "reader/features/features.h"
#include "reader/format/event.h"

namespace perfsift::output {

// The time of the last write to the recording's file. "-": standard input.
std::time_t modification_time(const std::string& path);

// The first lines of perf's text: the offsets and, unless the recording is in pipe form, its features.
// perf_session__fprintf_info() and perf_header__fprintf_info() in tools/perf/util. `full`: -I, the
// topology too.
void print_header(TextWriter& out, const reader::FileHeader& header, const reader::Features& features,
                  const Events& events, std::time_t captured, analysis::PerfStyle style, bool full);

// The features alone: in the pipe form they come as records, after the header.
void print_features(TextWriter& out, const reader::Features& features, const Events& events, analysis::PerfStyle style,
                    bool full);

}  // namespace perfsift::output
