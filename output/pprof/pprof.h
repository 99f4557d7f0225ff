// pprof's profile format: a gzipped protobuf, with the conventions of perf_to_profile, so that either can take the
// other's place.
#pragma once

#include "output/export_source.h"
#include "output/files/output_file.h"
#include "output/pprof/labels.h"

namespace perfsift::output {

// Each event has two sample types: EVENT_sample counts samples, EVENT_event adds up their periods; events of profiles
// of pprof keep theirs. The same source gives the same bytes with any number of threads.
void write_pprof(const ExportSource& source, const PprofLabels& labels, OutputFile& out);

}  // namespace perfsift::output
