// Records runs of a command with perf record.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/bench/program_run.h"
#include "tools/temporary_folder.h"

namespace perfsift::tools {

// The options of perf record; what is empty is left to perf.
struct RecordSettings {
  std::string event;
  std::optional<unsigned> frequency;
  std::string call_graph = "fp";
  bool show_output = false;     // of the command
  bool ignore_failure = false;  // a command may end with any exit status
};

// Not thread-safe. The watch must live longer.
class Recorder {
 public:
  Recorder(const RecordSettings& settings, const SignalWatch& watch) : settings_(settings), watch_(watch) {}

  // Whether perf can record with these settings at all: tries it on true(1). Throws Error with what to do.
  void check() const;
  // Runs a command of the shell, without recording it. Throws Error if it fails.
  void prepare(const std::string& command) const;
  // Records one run of a command to a file. `what`: names the run in messages. Throws Error if the command fails.
  void record(const std::vector<std::string>& command, const std::string& file, const std::string& what) const;

 private:
  ProgramEnd run(const std::vector<std::string>& command, const std::string& file) const;
  std::string last_words() const;

  const RecordSettings settings_;
  const SignalWatch& watch_;
  const TemporaryFolder folder_;
};

}  // namespace perfsift::tools
