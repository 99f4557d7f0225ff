// Samples as rows of text: JSON Lines, and CSV.
#pragma once

#include "output/export_source.h"
#include "output/files/output_file.h"

namespace perfsift::output {

// A line for each sample, in the order of their times. Samples that an input has only as sums are one line for each
// sum, behind the others and without a time. The same source gives the same bytes with any number of threads.
//
// JSON: the object of sample_object.h, without the facts that rows do not have (ip, symoff, addr, weight, …).
void write_jsonl(const ExportSource& source, OutputFile& out);
// CSV as RFC 4180 has it, with a header line. The stack begins with the root, and ';' separates its frames.
void write_csv(const ExportSource& source, OutputFile& out);

}  // namespace perfsift::output
