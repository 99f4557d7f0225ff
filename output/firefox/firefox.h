// The "processed profile" format of the Firefox Profiler, compressed by gzip.
//
// The front-end reads all older versions of its format; perfsift writes version 61, the first in which all tables are
// shared by the threads and sources have their present form: docs-developer/CHANGELOG-formats.md and
// src/types/profile.ts in github.com/firefox-devtools/profiler.
#pragma once

#include "output/export_source.h"
#include "output/files/output_file.h"

namespace perfsift::output {

// One thread for each event and thread; markers for losses and throttling in a thread of their own. The weights are
// milliseconds for events that measure time, and otherwise the values of the samples. The bytes do not
// depend on the number of threads.
void write_firefox(const ExportSource& source, OutputFile& out);

}  // namespace perfsift::output
