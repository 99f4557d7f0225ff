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
#include "tools/diagnostics.h"
#include "tools/info/section_options.h"
#include "tools/input_profile.h"
#include "tools/reading_options.h"

namespace perfsift::tools {
namespace {

// Names of a recording need not be valid UTF-8; JSON must be.
std::string to_text(const output::Json& json) {
  return json.dump(2, ' ', false, output::Json::error_handler_t::replace) + '\n';
}

// What the command line says.
struct InfoCommand : CommandRun {
  ReadingOptions reading;
  SectionOptions section_options;
  NamingOptions naming;
  JobsOption jobs;
  analysis::QualityBudget budget;
  bool json = false;

  void add_to(options::po::options_description& options) override;
  int run(const options::Arguments& words) override;
  // Whether the exit status depends on all recordings, shown or not.
  bool has_limits() const { return budget.any() || budget.fail_empty; }
  bool needs_names() const { return budget.max_unresolved || budget.max_incomplete; }

 private:
  void check() const;
  void check_files(const std::vector<std::string>& paths) const;
};

void InfoCommand::add_to(options::po::options_description& options) {
  reading.add_to(options);
  section_options.add_to(options);
  options.add_options()("json", options::po::bool_switch(&json), "write JSON: all sections, or those asked for");
  options::add_budget(budget, options);
  naming.add_to(options);
  jobs.add_to(options);
}

void InfoCommand::check() const {
  if (needs_names() && section_options.no_quality) {
    throw UsageError(fmt::format("{} needs what --no-quality leaves out",
                                 budget.max_unresolved ? "--max-unresolved" : "--max-incomplete"));
  }
}

// Standard output may be appended to an input.
void InfoCommand::check_files(const std::vector<std::string>& paths) const {
  output::RunFiles files;
  files.reads(paths);
  reading.note_files(files);
  naming.note_files(files);
  files.writes(output::OutputFile::standard_output);
}

// Shows one recording after the other.
class Showing {
 public:
  Showing(const InfoCommand& command, Diagnostics& diagnostics)
      : command_(command),
        sections_(command.section_options.chosen()),
        symbolizer_(command.naming.symbolize_options()),
        diagnostics_(diagnostics) {}

  // False if the reader of the output has gone. Throws InputError.
  bool show(const std::string& path) {
    Progress progress(command_.reading.quiet);
    const auto recording = open_recording(path, open_options(path, progress));
    const bool names = sections_.quality || command_.needs_names();
    const analysis::Survey survey =
        analysis::survey_samples(*recording, command_.jobs.threads(), names ? &symbolizer_ : nullptr);
    progress.end();
    bool is_read = true;
    if (command_.json) {
      documents_.push_back(output::info_json(*recording, survey, sections_));
    } else {
      std::cout << (std::exchange(first_, false) ? "" : "\n") << output::info_text(*recording, survey, sections_);
      is_read = output::flush_standard_output();  // before warnings about it
    }
    for (const std::string& warning : not_decoded(*recording)) diagnostics_.warning(path, warning);
    diagnostics_.report(path, recording->stats());
    for (const std::string& exceeded : command_.budget.check(survey.quality)) {
      diagnostics_.check_failed(fmt::format("{}: {}", path, exceeded));
    }
    if (survey.samples() == 0) diagnostics_.report_empty(path, 0, command_.budget.fail_empty);
    return is_read;
  }

  const symbolize::Symbolizer& symbolizer() const { return symbolizer_; }
  const std::vector<output::Json>& documents() const { return documents_; }

 private:
  const InfoCommand& command_;
  const output::Sections sections_;
  symbolize::Symbolizer symbolizer_;
  Diagnostics& diagnostics_;
  bool first_ = true;
  std::vector<output::Json> documents_;
};

int InfoCommand::run(const options::Arguments&) {
  check();
  const std::vector<std::string> paths = reading.paths();
  check_files(paths);
  Diagnostics diagnostics(reading.quiet);
  Showing showing(*this, diagnostics);
  for (const std::string& path : paths) {
    try {
      if (!showing.show(path) && !has_limits()) break;
    } catch (const InputError& error) {  // the others still can
      diagnostics.unusable(error.what());
    }
  }
  diagnostics.report(showing.symbolizer());
  if (paths.size() > 1 && json) {
    std::cout << to_text(showing.documents());
  } else if (!showing.documents().empty()) {
    std::cout << to_text(showing.documents().front());
  }
  return diagnostics.status();
}

}  // namespace

extern const Command info_command{
    .name = "info",
    .summary = "show what a recording holds and what it lost",
    .usage = "Usage: perfsift info [OPTIONS] [FILE...]\n",
    .positional = ReadingOptions::positional,
    .start = start<InfoCommand>,
};

}  // namespace perfsift::tools
