// perfsift filter: recordings with fewer samples.

#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analysis/profile/quality.h"
#include "base/error.h"
#include "base/random_key.h"
#include "options/budget_options.h"
#include "options/number_option.h"
#include "output/files/output_file.h"
#include "reader/writer/record_compressor.h"
#include "tools/command.h"
#include "tools/filter/filter_batch.h"
#include "tools/filter/filter_jobs.h"
#include "tools/filter/filter_report.h"
#include "tools/recording/recording_run.h"

namespace perfsift::tools {
namespace {

// The options of the command line.
struct FilterCommand : CommandRun {
  RecordingOptions recordings;
  analysis::QualityBudget budget;
  std::string output;
  bool dry_run = false;
  bool json = false;

  void add_to(options::po::options_description& description) override;
  int run(const options::Arguments& words) override;
  FilterTask task(const filter::Filter& filter, symbolize::Symbolizer& symbolizer, output::RunFiles& files) const;
  // Notes all files that are read and written. Throws UsageError if an input would be overwritten.
  void note_files(const std::vector<FilterJob>& planned, output::RunFiles& files) const;

 private:
  void check();
  void add_output_options(options::po::options_description& description);

  bool prune_ = false;
  bool anonymize_ = false;
  std::string key_file_;
  std::string split_;
  bool compress_ = false;
  int level_ = reader::RecordCompressor::least_level;  // as perf record
};

void FilterCommand::add_output_options(options::po::options_description& description) {
  auto add = description.add_options();
  add("output,o", options::po::value(&output)->value_name("OUT"),
      "the file to write, a directory when there are several recordings, or - for standard output");
  add("compress,z", options::po::bool_switch(&compress_), "compress the records, as perf record -z does");
  constexpr int least_level = reader::RecordCompressor::least_level, most_level = reader::RecordCompressor::most_level;
  add("compression-level", options::whole_number(level_, {.least = least_level, .most = most_level}),
      "the level of compression, 1 to 22 (1)");
  add("split", options::po::value(&split_)->value_name("RULE"),
      "write several files: by=pid, by=comm, by=event, by=cgroup or by=time:INTERVAL");
  add("prune", options::po::bool_switch(&prune_), "leave out records of processes that no kept sample needs");
  add("anonymize", options::po::bool_switch(&anonymize_), "mask the names of threads, files, hosts, and command lines");
  add("anonymize-key", options::po::value(&key_file_)->value_name("FILE"),
      "the key of --anonymize: equal keys mask names in the same way");
  add("dry-run", options::po::bool_switch(&dry_run), "print what would be kept, and write nothing");
  add("json", options::po::bool_switch(&json), "print what was kept as JSON");
}

void FilterCommand::add_to(options::po::options_description& description) {
  recordings.inputs.add_to(description);
  recordings.filtering.add_to(description);
  recordings.naming.add_to(description);
  add_output_options(description);
  recordings.jobs.add_to(description);
  options::add_max_lost(budget, description);
}

void FilterCommand::check() {
  if (output.empty() && !dry_run) throw UsageError("--output: where to write is missing");
  if (output::OutputFile::is_standard_output(output)) output = output::OutputFile::standard_output;
  const bool to_output = output == output::OutputFile::standard_output;
  if (json && to_output) throw UsageError("--json and the recording cannot both go to standard output");
  if (!split_.empty() && to_output) throw UsageError("--split writes several files, which standard output is not");
  if (!key_file_.empty() && !anonymize_) throw UsageError("--anonymize-key needs --anonymize");
}

FilterTask FilterCommand::task(const filter::Filter& filter, symbolize::Symbolizer& symbolizer,
                               output::RunFiles& files) const {
  FilterTask task{.options = recordings.filtering,
                  .filter = filter,
                  .symbolizer = symbolizer,
                  .split = split_.empty() ? analysis::SplitRule() : analysis::SplitRule::parse(split_),
                  .compression_level = compress_ ? std::optional(level_) : std::nullopt,
                  .prune = prune_,
                  .dry_run = dry_run,
                  .files = files};
  if (anonymize_) task.anonymize.emplace(key_file_.empty() ? random_key() : analysis::key_in_file(key_file_));
  return task;
}

void FilterCommand::note_files(const std::vector<FilterJob>& planned, output::RunFiles& files) const {
  for (const FilterJob& job : planned) files.reads(job.input);
  recordings.note_files(files);
  files.reads(key_file_);
  const bool parts = !split_.empty();  // their names are not known yet
  for (const FilterJob& job : planned) parts ? files.refuse(job.output) : files.writes(job.output);
  if (output != output::OutputFile::standard_output) files.writes(output::OutputFile::standard_output);
}

// The lines about kept samples go to standard output, unless the recording goes there.
void print_results(const FilterCommand& command, const std::vector<FilterResult>& results) {
  if (command.json) {
    // Names of files need not be valid UTF-8; JSON must be.
    std::cout << results_json(results).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  } else if (!command.recordings.inputs.quiet) {
    std::ostream& out = command.output == output::OutputFile::standard_output ? std::cerr : std::cout;
    for (const FilterResult& result : results) out << result_line(result, command.dry_run) << '\n';
  }
}

// Errors, warnings, limits; the exit status that follows.
int conclude(const FilterCommand& command, const std::vector<std::string>& skipped,
             const std::vector<FilterResult>& results, RecordingRun& run) {
  Diagnostics& diagnostics = run.diagnostics();
  for (const std::string& file : skipped) diagnostics.warning(file, "skipped: not a recording");
  bool wrong = false;
  for (const FilterResult& result : results) {
    wrong |= result.error_status == wrong_usage;
    if (!result.error.empty()) {
      diagnostics.unusable(result.error);
      continue;
    }
    for (const std::string& warning : result.warnings) diagnostics.warning(result.input, warning);
    diagnostics.report(result.input, result.stats);
    analysis::Quality quality;
    quality.add_recorded(result.stats);
    for (const std::string& message : command.budget.check(quality)) {
      diagnostics.check_failed(result.input + ": " + message);
    }
  }
  run.report_names();
  InputTotals totals("recording");
  for (const FilterResult& result : results)
    totals.add({.path = result.input, .samples = result.samples, .kept = result.kept, .usable = result.error.empty()});
  diagnostics.report_empty(totals, command.budget.fail_empty);
  return wrong ? wrong_usage : diagnostics.status();
}

int FilterCommand::run(const options::Arguments&) {
  check();
  const auto [planned, skipped] = plan_jobs(recordings.inputs.paths(), output);
  output::RunFiles files;
  note_files(planned, files);
  const filter::Filter filter = recordings.filtering.filter();
  RecordingRun run(recordings, {});
  const auto results = filter_all(planned, task(filter, run.symbolizer(), files), run.threads(), run.quiet());
  print_results(*this, results);
  return conclude(*this, skipped, results, run);
}

}  // namespace

extern const Command filter_command{
    .name = "filter",
    .summary = "write smaller recordings with selected samples",
    .usage =
        "Usage: perfsift filter [OPTIONS] [FILE|DIRECTORY...] -o OUT\n\nWrites recordings with only the kept samples "
        "and everything that perf needs to read them.\n",
    .positional = ReadingOptions::positional,
    .start = start<FilterCommand>,
};

}  // namespace perfsift::tools
