// A trace of Perfetto (ui.perfetto.dev): samples at their times, in the tracks of their threads.
#pragma once

#include "output/export_source.h"
#include "output/files/output_file.h"

namespace perfsift::output {

// Each event is a packet sequence of its own, with its own stacks. The timebase of a sample is the sum of the periods
// of the event on its CPU so far. The source must have samples with times only: see has_sums(). The bytes do not
// depend on the number of threads.
void write_perfetto(const ExportSource& source, OutputFile& out);

// Whether the source has amounts that are no single samples, for which a trace has no place.
bool has_sums(const ExportSource& source);

}  // namespace perfsift::output
