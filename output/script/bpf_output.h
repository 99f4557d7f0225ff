// The data that a BPF program wrote with bpf_perf_event_output(), as a hex dump.
#pragma once

#include "base/byte_reader.h"
#include "output/text_writer.h"

namespace perfsift::output {

// Lines of eight bytes, and the text if the data is a string: sample__fprintf_bpf_output() in
// tools/perf/builtin-script.c.
void print_bpf_output(TextWriter& out, Bytes raw);

}  // namespace perfsift::output
