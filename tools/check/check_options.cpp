#include "tools/check/check_options.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "tools/check/budget_file.h"
#include "tools/gate/run_store.h"

namespace perfsift::tools {

void CheckOptions::add_to(options::po::options_description& description) {
  namespace po = options::po;
  auto add = description.add_options();
  add("baseline", po::value(&baseline_)->value_name("FILE...")->composing()->multitoken(),
      "runs to compare with; several are repeats of one measurement");
  add("candidate", po::value(&candidate_)->value_name("FILE...")->composing()->multitoken(), "runs to judge");
  add("output,o", po::value(&output)->value_name("FILE"), "where to write (standard output)");
  add("json", po::bool_switch(&json), "write one JSON object");
  add("budget", po::value(&budget_file_)->value_name("FILE"),
      "also judge the assertions in FILE: see perfsift-budget(7)");
  history.add_to(description);
  rules_.add_to(description);
  ci.add_to(description);
  frames_.add_unweighted_frames_to(description);
  inputs.add_to(description, FilterOptions::Accesses::by_expression);  // --level is that of the intervals
}

void CheckOptions::prepare() {
  rules_.prepare();
  if (!budget_file_.empty()) budget = read_budget(budget_file_);
  history.prepare(inputs.threads());
  ci.prepare(output, json);
  stacks = stored_stacks(frames_.stacks());
  inputs.prepare(sides());
  inputs.take_open(history.take_open());
}

// Mistakes in a budget are reported before anything else is read.
void CheckOptions::note_files(output::RunFiles& files) const {
  inputs.note_files(files);
  files.reads(budget_file_);
  files.writes(output);
  history.note_files(files);
  ci.note_files(files);
}

analysis::Rules CheckOptions::rules() const {
  analysis::Rules rules = rules_.rules();
  history.set(rules);
  return rules;
}

std::vector<std::vector<std::string>> CheckOptions::sides() {
  const bool names_files = inputs.names_any_path();
  if (history.any()) return sides_with_history();
  if (budget && baseline_.empty() && (!candidate_.empty() || inputs.named_paths().size() != 2)) {
    if (names_files && !candidate_.empty()) throw UsageError("name all files by --candidate, or all without");
    has_baseline_ = false;
    if (budget->needs_baseline()) {
      throw UsageError(printable(budget_file_) + ": compares with a baseline, which --baseline names");
    }
    if (ci.draws()) throw UsageError("--svg shows what changed, so it needs a baseline");
    return {{}, candidate_.empty() ? inputs.named_paths() : candidate_};
  }
  if (baseline_.empty() != candidate_.empty()) throw UsageError("--baseline and --candidate: each needs the other");
  if (!baseline_.empty()) {
    if (inputs.names_any_path()) throw UsageError("name all files by --baseline and --candidate, or two files without");
    return {baseline_, candidate_};
  }
  const std::vector<std::string> paths = inputs.names_any_path() ? inputs.named_paths() : std::vector<std::string>();
  if (paths.size() != 2) {
    throw UsageError(fmt::format(
        "a baseline and a candidate are needed, not {} files; several a side: --baseline A B --candidate C D",
        paths.size()));
  }
  return {{paths.front()}, {paths.back()}};
}

std::vector<std::vector<std::string>> CheckOptions::sides_with_history() {
  if (!baseline_.empty()) throw UsageError("--baseline and --history: the baseline is one of them");
  if (inputs.names_any_path() == !candidate_.empty())
    throw UsageError("--history compares with stored runs; name the candidate, by --candidate or without");
  has_baseline_ = !history.baseline().empty();
  if (!has_baseline_ && ci.draws()) throw UsageError("--svg shows what changed, and nothing is stored yet");
  return {history.baseline(), candidate_.empty() ? inputs.named_paths() : candidate_};
}

}  // namespace perfsift::tools
