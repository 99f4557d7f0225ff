#include "tools/recording/recording_run.h"

#include <utility>

#include "tools/command.h"
#include "tools/input_profile.h"
#include "tools/shorter_inputs.h"

namespace perfsift::tools {

void RecordingOptions::note_files(output::RunFiles& files) const {
  inputs.note_files(files);
  naming.note_files(files);
  filtering.note_files(files);
}

RecordingRun::RecordingRun(const RecordingOptions& options, std::vector<std::string> paths, bool shows_progress)
    : options_(options), paths_(std::move(paths)), diagnostics_(options.inputs.quiet) {
  progress_.emplace(quiet() || !shows_progress);
}

void RecordingRun::note_files(output::RunFiles& files) const {
  files.reads(paths_);
  options_.note_files(files);
}

void RecordingRun::check_output(const std::string& output) const {
  output::RunFiles files;
  note_files(files);
  files.writes(output);
}

std::unique_ptr<reader::Recording> RecordingRun::open(const std::string& path,
                                                      const reader::OpenOptions& options) const {
  auto recording = open_recording(path, options);
  if (recording->streamed() && paths_.size() == 1) read_zeros_of_shorter_inputs();
  options_.filtering.check_events(*recording);
  return recording;
}

const symbolize::SymbolizeOptions& RecordingRun::symbolize_options() {
  if (!symbolize_options_) {
    symbolize::SymbolizeOptions naming = options_.naming.symbolize_options();
    naming.aliases_as_perf_6_1 = aliases_as_perf_6_1_;
    symbolize_options_ = options_.debuginfod.with_fetched(std::move(naming), paths_, threads(), quiet());
  }
  return *symbolize_options_;
}

symbolize::Symbolizer& RecordingRun::symbolizer() {
  return symbolizer_ ? *symbolizer_ : symbolizer_.emplace(symbolize_options());
}

void RecordingRun::begin_progress() { progress_.emplace(quiet()); }

void RecordingRun::write(const std::string& output, const std::function<void(output::OutputFile&)>& write) {
  progress_->show([] { return "writing"; });
  if (output::OutputFile::is_standard_output(output)) end_progress();  // on the same terminal, perhaps in a pager
  write_output(output, write);
}

void RecordingRun::report(const std::string& path, const reader::Recording& recording) {
  for (const std::string& warning : not_decoded(recording)) diagnostics_.warning(path, warning);
  diagnostics_.report(path, recording.stats());
}

void RecordingRun::report_names() {
  if (symbolizer_) diagnostics_.report(*symbolizer_);
}

int RecordingRun::conclude() {
  report_names();
  return diagnostics_.status();
}

}  // namespace perfsift::tools
