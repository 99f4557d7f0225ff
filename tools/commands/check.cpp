// perfsift check: whether a program became slower, for a build to fail with.

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/gate/copies.h"
#include "analysis/gate/judge.h"
#include "analysis/gate/reasons.h"
#include "analysis/gate/stored_runs.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/share_work.h"
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

using analysis::EventId;
using analysis::Verdict;

// All inputs, read.
struct CheckInputs {
  analysis::Profile profile;
  std::deque<ReadInput> read;
  std::vector<std::string> notes;  // on events that are not compared, and on copies of runs
};

// The events of a side that have samples.
std::set<EventId> events_of(const CheckOptions& options, const CheckInputs& inputs, std::size_t side) {
  const std::size_t first = side == CheckOptions::baseline ? 0 : options.inputs.reports_of_group(0).size();
  const std::size_t count = options.inputs.reports_of_group(side).size();
  std::set<EventId> events;
  for (std::size_t i = first; i < first + count; ++i) {
    for (std::size_t list = inputs.read[i].first_list; list < inputs.read[i].end_list; ++list) {
      for (const analysis::Callers& callers : inputs.profile.lists()[list].callers()) events.insert(callers.event);
    }
    for (const analysis::LoggedSample& sample : inputs.read[i].log.samples()) events.insert(sample.event);
    for (const analysis::LoggedAmount& amount : inputs.read[i].log.amounts()) events.insert(amount.event);
  }
  return events;
}

std::vector<std::string> names_of(const CheckInputs& inputs, const std::set<EventId>& events) {
  std::vector<std::string> names;
  for (const EventId event : events) names.push_back(inputs.profile.events()[event]);
  return names;
}

// The runs of one input, with their counts.
std::vector<analysis::Run> counted_runs(const InputReport& report, const CheckInputs& inputs, const ReadInput& read,
                                        EventId event, const analysis::GateStacks& stacks) {
  const analysis::RunSamples samples{.profile = inputs.profile,
                                     .log = read.log,
                                     .first_list = read.first_list,
                                     .end_list = read.end_list,
                                     .event = event};
  std::vector<analysis::Run> runs = runs_of(report);
  if (analysis::has_runs(report.comments)) {
    analysis::count_stored_samples(samples, stacks, runs);
  } else {
    analysis::count_samples(samples, stacks, runs.front());
  }
  return runs;
}

// All runs of a side.
analysis::GateSide named_runs(const CheckOptions& options, const CheckInputs& inputs, std::size_t side, EventId event,
                              const analysis::GateStacks& stacks) {
  const std::size_t first = side == CheckOptions::baseline ? 0 : options.inputs.reports_of_group(0).size();
  const std::span<const InputReport> reports = options.inputs.reports_of_group(side);
  std::vector<std::vector<analysis::Run>> runs_of_inputs(reports.size());
  for_each_task(options.inputs.threads(), reports.size(), [&](std::size_t i) {
    runs_of_inputs[i] = counted_runs(reports[i], inputs, inputs.read[first + i], event, stacks);
  });
  analysis::GateSide result;
  for (std::vector<analysis::Run>& runs : runs_of_inputs) {
    // All recordings of the candidate are one build, as those of each stored file were.
    if (options.history.any() && options.history.files_are_repeats()) {
      const bool is_first = result.builds.empty(), same_build = side == CheckOptions::candidate;
      result.builds.resize(result.builds.size() + runs.size(), is_first || same_build ? 0 : result.builds.back() + 1);
    }
    std::ranges::move(runs, std::back_inserter(result.runs));
  }
  return result;
}

// Of several events, the sums: nothing is compared by them.
analysis::GateSide named_runs(const CheckOptions& options, const CheckInputs& inputs, std::size_t side,
                              const std::vector<EventId>& events, const analysis::GateStacks& stacks) {
  analysis::GateSide all = named_runs(options, inputs, side, events.empty() ? EventId{0} : events.front(), stacks);
  for (std::size_t i = 1; i < events.size(); ++i) {
    analysis::GateSide more = named_runs(options, inputs, side, events[i], stacks);
    for (std::size_t run = 0; run < all.runs.size(); ++run)
      std::ranges::move(more.runs[run].counts, std::back_inserter(all.runs[run].counts));
  }
  return all;
}

// Each recording once, however often it was named.
analysis::GateSide side_of(const CheckOptions& options, CheckInputs& inputs, std::size_t side,
                           const std::vector<EventId>& events, const analysis::GateStacks& stacks) {
  analysis::GateSide result = named_runs(options, inputs, side, events, stacks);
  for (const analysis::Copy& copy : analysis::remove_copies(result))
    inputs.notes.push_back(fmt::format("not counted: {} is the same recording as {}", copy.name, copy.of));
  return result;
}

// Events that cannot be compared, because one side has no samples of them.
void note_other_events(const std::set<EventId>& side, const std::set<EventId>& other, std::string_view name,
                       CheckInputs& inputs) {
  std::set<EventId> alone;
  std::ranges::set_difference(side, other, std::inserter(alone, alone.end()));
  for (const std::string& event : names_of(inputs, alone))
    inputs.notes.push_back(fmt::format("not compared: the event {} is in the {} only", event, name));
}

std::string text_of(const CheckInputs& inputs, const std::vector<EventId>& events) {
  if (events.empty()) return "no event";
  return fmt::format("{}", fmt::join(names_of(inputs, {events.begin(), events.end()}), ", "));
}

void check_only_one(const std::vector<EventId>& events, const CheckInputs& inputs) {
  if (events.size() <= 1) return;
  throw UsageError(printable(
      fmt::format("there are several events, {}: --event chooses the one to judge by", text_of(inputs, events))));
}

// Sets the results of the budget's assertions.
void judge_assertions(const CheckOptions& options, const analysis::GateStacks& stacks, const analysis::GateSide* before,
                      const analysis::GateSide& after, symbolize::Symbolizer& symbolizer, Verdict& verdict) {
  if (!options.budget) return;
  const BudgetReading reading{.stacks = stacks,
                              .symbolizer = symbolizer,
                              .selection = options.inputs.filter(),
                              .event = verdict.event,
                              .threads = options.inputs.threads()};
  const BudgetSide candidate{after.runs, options.inputs.reports_of_group(CheckOptions::candidate)};
  if (before == nullptr) {
    verdict.assertions = judge_budget(*options.budget, nullptr, candidate, reading);
    return;
  }
  const BudgetSide baseline{before->runs, options.inputs.reports_of_group(CheckOptions::baseline)};
  verdict.assertions = judge_budget(*options.budget, &baseline, candidate, reading);
}

Verdict judge_budget_alone(const CheckOptions& options, CheckInputs& inputs, symbolize::Symbolizer& symbolizer) {
  const std::set<EventId> found = events_of(options, inputs, CheckOptions::candidate);
  const std::vector<EventId> events(found.begin(), found.end());
  if (options.budget && options.budget->needs_event()) check_only_one(events, inputs);
  const analysis::GateStacks stacks(inputs.profile, options.inputs.threads());
  const analysis::GateSide candidate = side_of(options, inputs, CheckOptions::candidate, events, stacks);
  Verdict verdict = analysis::look_at(candidate, text_of(inputs, events), options.rules(), options.allowed());
  if (options.history.any())
    verdict.reasons.push_back(options.history.nothing_stored(options.allowed().contains("history")));
  judge_assertions(options, stacks, nullptr, candidate, symbolizer, verdict);
  return verdict;
}

Verdict judge_sides(const CheckOptions& options, CheckInputs& inputs, symbolize::Symbolizer& symbolizer) {
  if (!options.has_baseline()) return judge_budget_alone(options, inputs, symbolizer);
  const std::set<EventId> before = events_of(options, inputs, CheckOptions::baseline);
  const std::set<EventId> after = events_of(options, inputs, CheckOptions::candidate);
  std::vector<EventId> common;
  std::ranges::set_intersection(before, after, std::back_inserter(common));
  if (common.empty() && !before.empty() && !after.empty()) {
    Verdict verdict{.rules = options.rules()};
    verdict.reasons.push_back(analysis::different_events(names_of(inputs, before), names_of(inputs, after)));
    return verdict;
  }
  check_only_one(common, inputs);
  if (!common.empty()) {
    note_other_events(before, after, "baseline", inputs);
    note_other_events(after, before, "candidate", inputs);
  }
  const analysis::GateStacks stacks(inputs.profile, options.inputs.threads());
  const analysis::GateSide baseline = side_of(options, inputs, CheckOptions::baseline, common, stacks);
  const analysis::GateSide candidate = side_of(options, inputs, CheckOptions::candidate, common, stacks);
  Verdict verdict =
      analysis::judge(stacks, baseline, candidate, text_of(inputs, common), options.rules(), options.allowed());
  judge_assertions(options, stacks, &baseline, candidate, symbolizer, verdict);
  return verdict;
}

// What is not compared, and what is lost, cut or has no name on each side.
std::vector<std::string> notes_of(const CheckOptions& options, const CheckInputs& inputs, analysis::Outcome outcome) {
  std::vector<std::string> notes = options.history.notes(outcome);
  notes.insert(notes.end(), inputs.notes.begin(), inputs.notes.end());
  for (const std::size_t side : {CheckOptions::baseline, CheckOptions::candidate}) {
    if (side == CheckOptions::baseline && !options.has_baseline()) continue;
    for (const std::string& line : output::quality_lines(quality_of(options.inputs.reports_of_group(side))))
      notes.push_back((side == CheckOptions::baseline ? "baseline: " : "candidate: ") + line);
  }
  return notes;
}

void write_verdict(CheckOptions& options, const CheckInputs& inputs, const Verdict& verdict) {
  options.inputs.write(options.output, [&](output::OutputFile& file) {
    output::TextWriter out([&](std::string_view text) { file.write(text); });
    if (options.json) {
      output::write_json(output::verdict_json(verdict, notes_of(options, inputs, verdict.outcome)), out);
    } else {
      output::write_verdict_text(verdict, notes_of(options, inputs, verdict.outcome), terminal_style(options.output),
                                 out);
    }
    out.flush();
  });
}

void store_candidate(CheckOptions& options, const CheckInputs& inputs) {
  const std::size_t baselines = options.inputs.reports_of_group(CheckOptions::baseline).size();
  std::vector<InputOfRuns> candidates;
  for (const InputReport& report : options.inputs.reports_of_group(CheckOptions::candidate))
    candidates.push_back({.report = &report, .read = &inputs.read[baselines + candidates.size()]});
  RunStore store(inputs.profile, candidates, false);
  options.history.store(store, options.inputs.threads());
}

// Everything but the report.
void write_ci_outputs(const CheckOptions& options, const CheckInputs& inputs, const Verdict& verdict) {
  options.ci.write(verdict, notes_of(options, inputs, verdict.outcome));
  if (!options.ci.draws()) return;
  const std::size_t candidates = options.inputs.reports_of_group(CheckOptions::baseline).size();
  const analysis::JoinedProfile joined(
      inputs.profile, {.first = 0, .end = inputs.read[candidates].first_list},
      {.first = inputs.read[candidates].first_list, .end = inputs.profile.lists().size()},
      analysis::SameFrame::name_and_binary,
      verdict.rules.exact_names ? analysis::FunctionNames::processes : analysis::FunctionNames::common);
  options.ci.draw(joined, notes_of(options, inputs, verdict.outcome), options.inputs.threads());
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
  symbolize::Symbolizer symbolizer(options.inputs.symbolize_options());
  CheckInputs inputs;
  inputs.read = options.inputs.read_apart(inputs.profile, options.stacks, symbolizer, true);
  const bool all_usable = std::ranges::all_of(options.inputs.reports(), &InputReport::usable);
  if (!all_usable && options.history.baseline_changed()) return std::nullopt;
  if (!all_usable) return options.inputs.conclude(symbolizer);
  Verdict verdict = judge_sides(options, inputs, symbolizer);
  analysis::conclude(verdict);
  write_verdict(options, inputs, verdict);
  write_ci_outputs(options, inputs, verdict);
  if (options.history.stores(verdict.outcome)) store_candidate(options, inputs);
  return status_of(verdict, options.inputs.conclude(symbolizer));
}

struct CheckCommand : CommandRun {
  CheckOptions options;

  void add_to(options::po::options_description& description) override { options.add_to(description); }
  int run(const options::Arguments& words) override;
};

int CheckCommand::run(const options::Arguments&) {
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
    .start = start<CheckCommand>,
};

}  // namespace perfsift::tools
