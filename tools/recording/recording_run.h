// The common part of all commands that read recordings: where recordings and names come from, which samples count,
// the progress, the output, and the conclusion.
//
// ```cpp
// RecordingOptions wanted;
// wanted.inputs.add_to(options);
// wanted.naming.add_to(options);
// if (!options::parse(arguments, usage, options, ReadingOptions::positional)) return done;
// RecordingRun run(wanted, wanted.inputs.paths());
// run.check_output(output);
// for (const std::string& path : run.paths()) {
//   const auto opened = run.open(path, run.opening(path));
//   run.report(path, *opened);
// }
// return run.conclude();
// ```
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "output/files/output_file.h"
#include "output/files/run_files.h"
#include "reader/recording.h"
#include "symbolize/symbolizer.h"
#include "tools/debuginfod_options.h"
#include "tools/diagnostics.h"
#include "tools/filter/filter_options.h"
#include "tools/reading_options.h"
#include "tools/terminal.h"

namespace perfsift::tools {

// A command adds those parts to its options that it has. A part that is not added asks for nothing.
struct RecordingOptions {
  ReadingOptions inputs;
  NamingOptions naming;
  DebuginfodOptions debuginfod;
  JobsOption jobs;
  FilterOptions filtering;

  // The files besides the inputs that are read.
  void note_files(output::RunFiles& files) const;
};

// Not thread-safe. The options must live longer.
class RecordingRun {
 public:
  // `paths`: the inputs. `shows_progress`: unless --quiet is given.
  RecordingRun(const RecordingOptions& options, std::vector<std::string> paths, bool shows_progress = true);

  const std::vector<std::string>& paths() const { return paths_; }
  bool quiet() const { return options_.inputs.quiet; }
  unsigned threads() const { return options_.jobs.threads(); }

  void note_files(output::RunFiles& files) const;
  // Throws UsageError if writing to `output` would overwrite an input.
  void check_output(const std::string& output) const;

  // Opens a recording, so that the progress shows its reading. `options`: those of opening(), perhaps changed. Throws
  // InputError, and UsageError if the recording does not have an event of --event.
  std::unique_ptr<reader::Recording> open(const std::string& path, const reader::OpenOptions& options) const;
  reader::OpenOptions opening(const std::string& path) { return open_options(path, *progress_); }

  // Names as perf 6.1 chooses them: see SymbolizeOptions. Call it before symbolizer().
  void name_as_perf_6_1() { aliases_as_perf_6_1_ = true; }
  // Made by the first call, with missing debug files fetched, if --debuginfod asks for them. Throws InputError.
  symbolize::Symbolizer& symbolizer();
  // The options of the symbolizer.
  const symbolize::SymbolizeOptions& symbolize_options();

  Progress& progress() { return *progress_; }
  // Must be called for the next input, after the progress was ended to print something.
  void begin_progress();
  // Must be called before anything else is printed on the terminal.
  void end_progress() { progress_->end(); }
  // Calls write_output(); the progress is shown until then.
  void write(const std::string& output, const std::function<void(output::OutputFile&)>& write);

  Diagnostics& diagnostics() { return diagnostics_; }
  // Reports what could not be read of a recording. Call it after the visit.
  void report(const std::string& path, const reader::Recording& recording);
  // Reports files without names that fit. Call it after the last look-up of a name.
  void report_names();
  // Calls report_names(); returns the exit status.
  int conclude();

 private:
  const RecordingOptions& options_;
  const std::vector<std::string> paths_;
  std::optional<Progress> progress_;
  bool aliases_as_perf_6_1_ = false;
  std::optional<symbolize::SymbolizeOptions> symbolize_options_;
  std::optional<symbolize::Symbolizer> symbolizer_;
  Diagnostics diagnostics_;
};

}  // namespace perfsift::tools
