// Samples as rows of text: JSON Lines, and CSV.
#pragma once

#include "output/export_source.h"
#include "output/files/output_file.h"

namespace perfsift::output {

// Writes a line for each sample, in the order of their times. Samples with a known sum only are one line for each sum,
// behind the others and without a time. The same source gives the same bytes with any number of threads.
//
// JSON: the object of sample_object.h, without the facts that rows do not have (ip, symoff, addr, weight, …).
void write_jsonl(const ExportSource& source, OutputFile& out);
// CSV by RFC 4180, with a header line. The stack begins with the root, and ';' separates its frames.
void write_csv(const ExportSource& source, OutputFile& out);

}  // namespace perfsift::output
