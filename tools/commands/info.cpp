// perfsift info: what a recording holds, what it lost, and how far its figures can be trusted.

#include <iostream>
#include <utility>

#include <fmt/format.h>

#include "analysis/profile/quality.h"
#include "analysis/survey/survey.h"
#include "base/error.h"
#include "options/budget_options.h"
#include "output/files/output_file.h"
#include "output/files/standard_output.h"
#include "output/info/info_json.h"
#include "output/info/info_text.h"
#include "output/info/sections.h"
#include "reader/recording.h"
#include "tools/command.h"
#include "tools/info/section_options.h"
#include "tools/recording/recording_run.h"

namespace perfsift::tools {
namespace {

// Names of a recording need not be valid UTF-8; JSON must be.
std::string to_text(const output::Json& json) {
  return json.dump(2, ' ', false, output::Json::error_handler_t::replace) + '\n';
}

// The options of the command line.
struct InfoCommand : CommandRun {
  RecordingOptions recordings;
  SectionOptions section_options;
  analysis::QualityBudget budget;
  bool json = false;

  void add_to(options::po::options_description& options) override;
  int run(const options::Arguments& words) override;
  // Whether the exit status depends on all recordings, shown or not.
  bool has_limits() const { return budget.any() || budget.fail_empty; }
  bool needs_names() const { return budget.max_unresolved || budget.max_incomplete; }

 private:
  void check() const;
};

void InfoCommand::add_to(options::po::options_description& options) {
  recordings.inputs.add_to(options);
  section_options.add_to(options);
  options.add_options()("json", options::po::bool_switch(&json), "write JSON: all sections, or only the chosen ones");
  options::add_budget(budget, options);
  recordings.naming.add_to(options);
  recordings.jobs.add_to(options);
}

void InfoCommand::check() const {
  if (needs_names() && section_options.no_quality) {
    throw UsageError(fmt::format("{} and --no-quality exclude each other",
                                 budget.max_unresolved ? "--max-unresolved" : "--max-incomplete"));
  }
}

// Shows one recording after the other.
class Showing {
 public:
  Showing(const InfoCommand& command, RecordingRun& run)
      : command_(command), sections_(command.section_options.chosen()), run_(run) {}

  // False if the reader of the output has gone. Throws InputError.
  bool show(const std::string& path) {
    run_.begin_progress();
    const auto recording = run_.open(path, run_.opening(path));
    const bool names = sections_.quality || command_.needs_names();
    const analysis::Survey survey =
        analysis::survey_samples(*recording, run_.threads(), names ? &run_.symbolizer() : nullptr);
    run_.end_progress();
    bool is_read = true;
    if (command_.json) {
      documents_.push_back(output::info_json(*recording, survey, sections_));
    } else {
      std::cout << (std::exchange(first_, false) ? "" : "\n") << output::info_text(*recording, survey, sections_);
      is_read = output::flush_standard_output();  // before warnings about it
    }
    run_.report(path, *recording);
    for (const std::string& exceeded : command_.budget.check(survey.quality)) {
      run_.diagnostics().check_failed(fmt::format("{}: {}", path, exceeded));
    }
    if (survey.samples() == 0) run_.diagnostics().report_empty(path, 0, command_.budget.fail_empty);
    return is_read;
  }

  const std::vector<output::Json>& documents() const { return documents_; }

 private:
  const InfoCommand& command_;
  const output::Sections sections_;
  RecordingRun& run_;
  bool first_ = true;
  std::vector<output::Json> documents_;
};

int InfoCommand::run(const options::Arguments&) {
  check();
  RecordingRun run(recordings, recordings.inputs.paths());
  run.check_output(output::OutputFile::standard_output);  // standard output may be appended to an input
  run.symbolizer();                                       // where names come from is checked even if none is needed
  Showing showing(*this, run);
  for (const std::string& path : run.paths()) {
    try {
      if (!showing.show(path) && !has_limits()) break;
    } catch (const InputError& error) {  // the others still can
      run.end_progress();
      run.diagnostics().unusable(error.what());
    }
  }
  const int status = run.conclude();
  if (run.paths().size() > 1 && json) {
    std::cout << to_text(showing.documents());
  } else if (!showing.documents().empty()) {
    std::cout << to_text(showing.documents().front());
  }
  return status;
}

}  // namespace

extern const Command info_command{
    .name = "info",
    .summary = "show what a recording contains and what it lost",
    .usage = "Usage: perfsift info [OPTIONS] [FILE...]\n",
    .positional = ReadingOptions::positional,
    .start = start<InfoCommand>,
};

}  // namespace perfsift::tools
