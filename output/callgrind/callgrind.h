// The profile format of callgrind, for kcachegrind and callgrind_annotate
// (valgrind.org/docs/manual/cl-format.html).
#pragma once

#include "output/export_source.h"
#include "output/files/output_file.h"

namespace perfsift::output {

// Each event has two costs: the sum of its periods, and the number of samples. The bytes do not depend on the
// number of threads.
void write_callgrind(const ExportSource& source, OutputFile& out);

}  // namespace perfsift::output
