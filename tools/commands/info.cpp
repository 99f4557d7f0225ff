// perfsift info: what a recording holds, what it lost, and how far its figures can be trusted.

#include <iostream>

#include "base/error.h"
#include "reader/recording.h"
#include "tools/command.h"
#include "tools/diagnostics.h"
#include "tools/info/info_json.h"
#include "tools/info/info_text.h"
#include "tools/info/sections.h"
#include "tools/info/survey.h"
#include "tools/profile/quality.h"
#include "tools/reading_options.h"

namespace perfsift::tools {
namespace {

// Names of a recording need not be valid UTF-8; JSON must be.
std::string to_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n'; }

// One object, or for several files a list of them.
void print_json(const std::vector<Json>& documents) {
  std::cout << to_text(documents.size() == 1 ? documents.front() : Json(documents));
}

}  // namespace

int info(const Arguments& arguments) {
  ReadingOptions reading;
  SectionOptions section_options;
  NamingOptions naming;
  JobsOption jobs;
  QualityBudget budget;
  bool json = false;
  po::options_description options("Options");
  reading.add_to(options);
  section_options.add_to(options);
  options.add_options()("json", po::bool_switch(&json), "write JSON: all sections, or those asked for");
  budget.add_to(options);
  naming.add_to(options);
  jobs.add_to(options);
  if (!parse(arguments, "Usage: perfsift info [OPTIONS] [FILE...]\n", options, ReadingOptions::positional)) return done;
  const Sections sections = section_options.chosen();
  if (budget.max_unresolved && section_options.no_quality) {
    throw UsageError("--max-unresolved needs what --no-quality leaves out");
  }

  Diagnostics diagnostics(reading.quiet);
  symbolize::Symbolizer symbolizer(naming.symbolize_options());
  const bool names = sections.quality || budget.max_unresolved;
  bool first = true;
  std::vector<Json> documents;
  for (const std::string& path : reading.paths()) {
    Progress progress(reading.quiet);
    const auto recording = reader::Recording::open(path, open_options(path, progress));
    const Survey survey = survey_samples(*recording, jobs.threads(), names ? &symbolizer : nullptr);
    progress.end();
    if (json) {
      documents.push_back(info_json(*recording, survey, sections));
    } else {
      std::cout << (first ? "" : "\n") << info_text(*recording, survey, sections) << std::flush;
    }
    first = false;
    for (const std::string& warning : not_decoded(*recording)) diagnostics.warning(path, warning);
    diagnostics.report(path, recording->stats());
    for (const std::string& message : budget.check(survey.quality)) diagnostics.check_failed(path + ": " + message);
  }
  if (json) print_json(documents);
  return diagnostics.status();
}

}  // namespace perfsift::tools
