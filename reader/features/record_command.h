// The command line of `perf record`, as far as it says what was recorded.
#pragma once

#include <span>
#include <string>

namespace perfsift::reader {

// The threads that perf record was asked to measure. Without any of these options perf record measures the program that
// it starts, or all of the machine where it starts none.
struct RecordCommand {
  bool all_cpus = false;      // -a, or `perf sched record`, which adds -a
  bool some_threads = false;  // -p or -t

  // Whether a thread outside the measured ones leaves no trace: options that ask for all CPUs win.
  bool excludes_threads() const { return some_threads && !all_cpus; }
};

// `arguments`: Features::command_line, the path of perf first. Arguments after "--" belong to the measured program.
RecordCommand parse_record_command(std::span<const std::string> arguments);

}  // namespace perfsift::reader
