// One recording in, one or several out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/rewrite/name_mask.h"
#include "output/files/run_files.h"
#include "output/recording/parts_writer.h"
#include "tools/command.h"
#include "tools/filter/filter_options.h"
#include "tools/terminal.h"

namespace perfsift::tools {

// How recordings are filtered, the same for all of them.
struct FilterTask {
  const FilterOptions& options;
  const filter::Filter& filter;       // what the options say
  symbolize::Symbolizer& symbolizer;  // for the names in the filter
  analysis::SplitRule split;
  std::optional<int> compression_level;
  std::optional<analysis::NameMask> anonymize;
  bool prune = false;       // leave out records of processes that no kept sample needs
  bool dry_run = false;     // write nothing
  output::RunFiles& files;  // so that no input is overwritten
};

struct FilterResult {
  std::string input;
  std::vector<output::WrittenPart> parts;
  std::uint64_t samples = 0;  // SAMPLE records that were read
  std::uint64_t kept = 0;     // of them, those in any of the parts
  double seconds = 0;
  reader::ReadStats stats;
  std::vector<std::string> warnings;
  std::string error;               // why nothing, or not everything, was written; empty: all was
  ExitStatus error_status = done;  // the exit status for the error

  std::uint64_t dropped() const { return samples - kept; }
};

// Writes the recording at `input` ("-": standard input) to `output`: "-" and pipes get the pipe form. The result
// has the errors. Throws OutputClosed. Thread-safe for different outputs.
FilterResult filter_recording(const std::string& input, const std::string& output, const FilterTask& task,
                              unsigned threads, Progress& progress);

}  // namespace perfsift::tools
