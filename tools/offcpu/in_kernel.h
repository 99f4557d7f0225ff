// perfsift offcpu --in-kernel: measures waits now, instead of reading a recording.
//
//   BPF programs ──▶ sums ──▶ a recording in pipe form ──▶ the same reading as that of any recording, in a child
//   process
#pragma once

#include <functional>

#include "options/command_line.h"
#include "tools/offcpu/offcpu_options.h"

namespace perfsift::tools {

// The words of the command to measure: those behind `--`.
options::Arguments measured_command(const options::Arguments& words);
// The words in front of it.
options::Arguments words_before_measured_command(const options::Arguments& words);

// `options`: complete. `read`: reads the recording on standard input with the options, and returns the exit status.
// Returns the exit status of the run: that of `read`, or, if it is well, of the command. Throws Error and UsageError.
int measure_in_kernel(OffcpuOptions& options, const options::Arguments& words, const std::function<int()>& read);

}  // namespace perfsift::tools
