// pprof's profile format: a gzipped protobuf. The conventions are those of perf_to_profile, so each can replace the
// other.
#pragma once

#include "output/export_source.h"
#include "output/files/output_file.h"
#include "output/pprof/labels.h"

namespace perfsift::output {

// Each event has two sample types: EVENT_sample counts samples, and EVENT_event adds up their periods. Events of pprof
// profiles keep their sample types. The same source gives the same bytes with any number of threads.
void write_pprof(const ExportSource& source, const PprofLabels& labels, OutputFile& out);

}  // namespace perfsift::output
