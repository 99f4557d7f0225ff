// The file format of speedscope (speedscope.app/file-format-schema.json).
#pragma once

#include "output/export_source.h"
#include "output/files/output_file.h"

namespace perfsift::output {

// One profile for each thread and event, with its samples in the order of time; equal neighbours are one entry. The
// weights are the values of the samples. The bytes do not depend on the number of threads.
void write_speedscope(const ExportSource& source, OutputFile& out);

}  // namespace perfsift::output
