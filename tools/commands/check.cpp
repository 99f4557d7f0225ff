// perfsift check: whether a program became slower, for a build to fail with.

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/gate/sides.h"
#include "analysis/gate/stored_runs.h"
#include "base/error.h"
#include "output/gate/verdict_json.h"
#include "output/gate/verdict_text.h"
#include "output/quality/quality_lines.h"
#include "output/report/report_table.h"
#include "tools/check/budget_check.h"
#include "tools/check/check_options.h"
#include "tools/command.h"
#include "tools/gate/run_store.h"
#include "tools/terminal.h"

namespace perfsift::tools {
namespace {

using analysis::Verdict;

// All inputs, read.
struct CheckInputs {
  analysis::Profile profile;
  std::deque<ReadInput> read;
};

// The place of the first input of a side in CheckInputs::read.
std::size_t first_of(const CheckOptions& options, std::size_t side) {
  return side == CheckOptions::baseline ? 0 : options.inputs.reports_of_group(CheckOptions::baseline).size();
}

analysis::SideInputs side_of(const CheckOptions& options, const CheckInputs& inputs, std::size_t side) {
  analysis::SideInputs result;
  std::size_t next = first_of(options, side);
  for (const InputReport& report : options.inputs.reports_of_group(side)) {
    const ReadInput& read = inputs.read[next++];
    result.inputs.push_back({.runs = runs_of(report), .is_stored = has_runs(report), .table = read.table});
  }
  // All recordings of the candidate are one build, as those of each stored file were.
  if (options.history.any() && options.history.files_are_repeats()) {
    result.builds =
        side == CheckOptions::candidate ? analysis::SideBuilds::one : analysis::SideBuilds::one_of_each_input;
  }
  return result;
}

// Sets the results of the budget's assertions.
void judge_assertions(const CheckOptions& options, analysis::JudgedSides& judged) {
  if (!options.budget || !judged.stacks) return;
  const BudgetReading reading{.stacks = *judged.stacks,
                              .symbolizer = options.inputs.symbolizer(),
                              .selection = options.inputs.filter(),
                              .event = judged.verdict.event,
                              .threads = options.inputs.threads()};
  const BudgetSide before{judged.before.runs, options.inputs.reports_of_group(CheckOptions::baseline)};
  const BudgetSide after{judged.after.runs, options.inputs.reports_of_group(CheckOptions::candidate)};
  judged.verdict.assertions = judge_budget(*options.budget, options.has_baseline() ? &before : nullptr, after, reading);
}

analysis::JudgedSides judge(const CheckOptions& options, const CheckInputs& inputs) {
  const analysis::SideRules how{
      .rules = options.rules(), .allowed = options.allowed(), .threads = options.inputs.threads()};
  analysis::SideInputs candidate = side_of(options, inputs, CheckOptions::candidate);
  analysis::JudgedSides judged;
  if (options.has_baseline()) {
    judged = analysis::judge_sides(inputs.profile, side_of(options, inputs, CheckOptions::baseline),
                                   std::move(candidate), how);
  } else {
    const bool one_event = options.budget && options.budget->needs_event();
    judged = analysis::look_at_side(inputs.profile, std::move(candidate), one_event, how);
    if (options.history.any())
      judged.verdict.reasons.push_back(options.history.nothing_stored(options.allowed().contains("history")));
  }
  judge_assertions(options, judged);
  analysis::conclude(judged.verdict);
  return judged;
}

// What is not compared, and what is lost, cut or has no name on each side.
std::vector<std::string> notes_of(const CheckOptions& options, const analysis::JudgedSides& judged) {
  std::vector<std::string> notes = options.history.notes(judged.verdict.outcome);
  notes.insert(notes.end(), judged.notes.begin(), judged.notes.end());
  for (const std::size_t side : {CheckOptions::baseline, CheckOptions::candidate}) {
    if (side == CheckOptions::baseline && !options.has_baseline()) continue;
    for (const std::string& line : output::quality_lines(quality_of(options.inputs.reports_of_group(side))))
      notes.push_back((side == CheckOptions::baseline ? "baseline: " : "candidate: ") + line);
  }
  return notes;
}

void write_verdict(CheckOptions& options, const Verdict& verdict, const std::vector<std::string>& notes) {
  options.inputs.write(options.output, [&](output::OutputFile& file) {
    output::TextWriter out([&](std::string_view text) { file.write(text); });
    if (options.json) {
      output::write_json(output::verdict_json(verdict, notes), out);
    } else {
      output::write_verdict_text(verdict, notes, terminal_style(options.output), out);
    }
    out.flush();
  });
}

void store_candidate(CheckOptions& options, const CheckInputs& inputs) {
  std::size_t next = first_of(options, CheckOptions::candidate);
  std::vector<InputOfRuns> candidates;
  for (const InputReport& report : options.inputs.reports_of_group(CheckOptions::candidate))
    candidates.push_back({.report = &report, .read = &inputs.read[next++]});
  RunStore store(inputs.profile, candidates, false);
  options.history.store(store, options.inputs.threads());
}

// Everything but the report.
void write_ci_outputs(const CheckOptions& options, const CheckInputs& inputs, const Verdict& verdict,
                      const std::vector<std::string>& notes) {
  options.ci.write(verdict, notes);
  if (!options.ci.draws()) return;
  const std::size_t first_list = inputs.read[first_of(options, CheckOptions::candidate)].first_list;
  const analysis::JoinedProfile joined(
      inputs.profile, {.first = 0, .end = first_list}, {.first = first_list, .end = inputs.profile.lists().size()},
      analysis::SameFrame::name_and_binary,
      verdict.rules.exact_names ? analysis::FunctionNames::processes : analysis::FunctionNames::common);
  options.ci.draw(joined, notes, options.inputs.threads());
}

int status_of(const Verdict& verdict, int inputs) {
  if (inputs == input_unusable) return inputs;
  if (verdict.outcome == analysis::Outcome::cannot_judge) return cannot_judge;
  return verdict.outcome == analysis::Outcome::failed ? int{check_failed} : inputs;
}

// Nothing if the history changed meanwhile, before anything was written.
std::optional<int> try_to_check(CheckOptions& options) {
  options.prepare();
  output::RunFiles files;
  options.note_files(files);
  CheckInputs inputs;
  inputs.read = options.inputs.read_apart(inputs.profile, options.stacks, true);
  const bool all_usable = std::ranges::all_of(options.inputs.reports(), &InputReport::usable);
  if (!all_usable && options.history.baseline_changed()) return std::nullopt;
  if (!all_usable) return options.inputs.conclude();
  const analysis::JudgedSides judged = judge(options, inputs);
  const std::vector<std::string> notes = notes_of(options, judged);
  write_verdict(options, judged.verdict, notes);
  write_ci_outputs(options, inputs, judged.verdict, notes);
  if (options.history.stores(judged.verdict.outcome)) store_candidate(options, inputs);
  return status_of(judged.verdict, options.inputs.conclude());
}

int check(CheckOptions& options) {
  // Another job removes a file at most once for each build.
  constexpr int most_tries = 20;
  for (int attempt = 0; attempt < most_tries; ++attempt) {
    if (const std::optional<int> status = try_to_check(options)) return *status;
  }
  throw Error("the files of the history change while they are read");
}

}  // namespace

extern const Command check_command{
    .name = "check",
    .summary = "judge whether a program became slower, for a build to fail",
    .usage =
        "Usage: perfsift check [OPTIONS] BASELINE CANDIDATE\n"
        "       perfsift check [OPTIONS] --baseline FILE... --candidate FILE...\n"
        "       perfsift check [OPTIONS] --history DIRECTORY CANDIDATE...\n"
        "       perfsift check [OPTIONS] --budget FILE CANDIDATE...\n\nJudges whether a program became slower, and "
        "names the functions; exit status 1 if so, 5 if that cannot be judged.\n",
    .positional = ReadingOptions::positional,
    .start = start<RunWith<CheckOptions, check>>,
};

}  // namespace perfsift::tools
