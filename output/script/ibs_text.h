// The registers of AMD's IBS in the words of perf script -D: tools/perf/util/amd-sample-raw.c.
#pragma once

#include "analysis/samples/style.h"
#include "output/text_writer.h"
#include "reader/format/sample.h"

namespace perfsift::output {

// A line for each register, with a line feed and a tab in front of it. Nothing for samples whose raw data has no valid
// registers.
void print_ibs(TextWriter& out, const reader::Sample& sample, ByteOrder order, analysis::PerfStyle style);

}  // namespace perfsift::output
