#include "tools/profile/profile_command.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "analysis/input/recording_folder.h"
#include "analysis/profile/largest_sum.h"
#include "analysis/profile/recursion.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/printable.h"
#include "options/budget_options.h"
#include "tools/open_store.h"
#include "tools/profile/input_messages.h"
#include "tools/profile/shown_events.h"

namespace perfsift::tools {
namespace {

void report_interrupts(const InputReport& report, Diagnostics& diagnostics) {
  const analysis::InterruptCounts& interrupts = report.quality.interrupts;
  if (interrupts.left_out != 0) {
    diagnostics.warning(report.path, fmt::format("left out {} of {}, taken in interrupts (--interrupts drop)",
                                                 interrupts.left_out, counted(interrupts.of, "sample")));
  }
}

// If no input has an event of the options, this is a mistake of the user, not an empty result.
void check_events(const analysis::EventSelection& selection, const std::vector<InputReport>& reports) {
  std::set<std::string> all;
  for (const InputReport& report : reports) all.insert(report.events.begin(), report.events.end());
  all.erase("");  // the event of text without event names
  const std::string wrong = selection.unmatched({all.begin(), all.end()});
  if (wrong.empty()) return;
  const std::string there =
      all.empty() ? "the input names no events" : fmt::format("there are {}", fmt::join(all, ", "));
  throw UsageError(printable(fmt::format("--event {}: no such event; {}", wrong, there)));
}

// Amounts with different units cannot be added up.
void check_units(const std::vector<InputReport>& reports) {
  std::map<std::string, std::pair<std::string, std::string>> known;  // by event: the unit, and an input with it
  for (const InputReport& report : reports) {
    for (const auto& [event, unit] : report.units) {
      const auto [first, is_new] = known.try_emplace(event, unit, report.path);
      if (is_new || first->second.first == unit) continue;
      throw InputError(printable(fmt::format("{}: its {} is in {}, that of {} in {}: read them apart", report.path,
                                             event, unit, first->second.second, first->second.first)));
    }
  }
}

// Throws InputError if the amounts of an event are too large for a sum.
void check_sums(const analysis::Profile& profile, const std::vector<InputReport>& reports) {
  const auto is_recording = [](const InputReport& report) { return report.kind == analysis::InputKind::recording; };
  if (std::ranges::all_of(reports, is_recording)) return;
  std::vector<analysis::Amount> sums(profile.events().size());
  for (const analysis::StackList& list : profile.lists()) {
    for (const analysis::StackList::Entry& stack : list.entries()) {
      analysis::add_to_sum(stack.amount, sums[profile.callers(stack.callers).event]);
    }
  }
}

}  // namespace

void ProfileCommand::add_to(options::po::options_description& options, FilterOptions::Accesses accesses) {
  options_.inputs.add_to(options);
  auto add = options.add_options();
  add("event,e", options::po::value(&events_)->value_name("NAME")->composing(),
      "only this event; globs and several are fine");
  quality_tables_.add_to(options);
  options_.filtering.add_to(options, FilterOptions::Events::elsewhere, accesses);
  options_.jobs.add_to(options);
  options_.naming.add_to(options);
  options_.debuginfod.add_to(options);
  options::add_budget(budget_, options);
}

void ProfileCommand::prepare() { prepare({named_paths()}); }

void ProfileCommand::prepare(const std::vector<std::vector<std::string>>& groups) {
  filter_ = options_.filtering.filter();
  group_ends_.clear();
  skipped_.clear();
  reports_.clear();
  std::vector<std::string> paths;
  for (const std::vector<std::string>& group : groups) {
    std::ranges::move(analysis::with_folders_opened(group, skipped_), std::back_inserter(paths));
    group_ends_.push_back(paths.size());
  }
  run_ = std::make_unique<RecordingRun>(options_, std::move(paths));
}

void ProfileCommand::read(analysis::Profile& profile, const analysis::StackOptions& stacks,
                          analysis::TableBuilder* rows) {
  read_paths(paths(), profile, stacks, rows);
}

void ProfileCommand::read_group(std::size_t group, analysis::Profile& profile, const analysis::StackOptions& stacks) {
  const std::size_t first = group == 0 ? 0 : group_ends_[group - 1];
  read_paths(std::span(paths()).subspan(first, group_ends_[group] - first), profile, stacks, nullptr);
}

void ProfileCommand::read_paths(std::span<const std::string> paths, analysis::Profile& profile,
                                const analysis::StackOptions& stacks, analysis::TableBuilder* rows) {
  const analysis::EventSelection selection(events_);
  const StoreStaysOpen for_other_inputs;
  std::vector<InputReport> reports =
      read_into_profile(std::vector(paths.begin(), paths.end()), profile,
                        {symbolizer(), stacks, selection, filter_, threads(), run_->progress(), rows});
  if (tools::any_usable(reports)) check_events(selection, reports);
  check_units(reports);
  check_sums(profile, reports);
  analysis::collapse_recursion(profile, stacks.shape);
  take(std::move(reports));
}

std::deque<ReadInput> ProfileCommand::read_apart(analysis::Profile& profile, const analysis::StackOptions& stacks,
                                                 bool runs) {
  const analysis::EventSelection selection(events_);
  std::deque<ReadInput> inputs;
  const StoreStaysOpen for_other_inputs;
  std::vector<InputReport> reports =
      tools::read_apart(paths(), std::exchange(open_, {}), profile,
                        {symbolizer(), stacks, selection, filter_, threads(), run_->progress(), nullptr, runs}, inputs);
  if (tools::any_usable(reports)) check_events(selection, reports);
  check_sums(profile, reports);
  analysis::collapse_recursion(profile, stacks.shape);
  take(std::move(reports));
  return inputs;
}

const std::string& ProfileCommand::keep_shown_events(analysis::Profile& profile) {
  if (events_.empty()) removed_events_ = tools::keep_shown_events(profile, reports_);
  return removed_events_;
}

void ProfileCommand::take(std::vector<InputReport> reports) {
  check_budget_applies(reports);
  std::ranges::move(reports, std::back_inserter(reports_));
}

// An input that cannot be checked must not look as if it kept the limit.
void ProfileCommand::check_budget_applies(const std::vector<InputReport>& reports) const {
  for (const InputReport& report : reports) {
    const bool tells = report.kind == analysis::InputKind::recording || report.kind == analysis::InputKind::store;
    if (budget_.any() && report.usable() && !tells) {
      throw UsageError(
          fmt::format("{}: is {}, which does not tell what was lost, cut or has no name; --max-lost, --max-unresolved, "
                      "--max-truncated and --max-incomplete need recordings",
                      printable(report.path), analysis::kind_name(report.kind)));
    }
  }
}

std::span<const InputReport> ProfileCommand::reports_of_group(std::size_t group) const {
  const std::size_t first = group == 0 ? 0 : group_ends_[group - 1];
  return std::span(reports_).subspan(first, group_ends_[group] - first);
}

bool ProfileCommand::any_kept() const {
  return std::ranges::any_of(reports_, [](const InputReport& report) { return report.kept != 0; });
}

bool ProfileCommand::all_lost() const {
  return quality().all_lost() != 0 && std::ranges::all_of(reports_, [](const auto& r) { return r.samples == 0; });
}

int ProfileCommand::conclude() {
  Diagnostics& diagnostics = run_->diagnostics();
  for (const std::string& file : skipped_) diagnostics.warning(file, "skipped: not a recording");
  for (const InputReport& report : reports_) {
    report_input(report, diagnostics);
    report_interrupts(report, diagnostics);
  }
  if (!removed_events_.empty())
    diagnostics.warning(paths().size() == 1 ? paths().front() : counted(paths().size(), "input"), removed_events_);
  run_->report_names();
  const analysis::Quality all = quality();
  quality_tables_.print(all);
  for (const std::string& message : budget_.check(all)) diagnostics.check_failed(message);
  InputTotals totals("input");
  for (const InputReport& report : reports_) {
    totals.add({.path = report.path,
                .samples = report.samples,
                .kept = report.kept,
                .lost = report.quality.all_lost(),
                .usable = report.usable(),
                .is_recording = report.kind == analysis::InputKind::recording});
  }
  diagnostics.report_empty(totals, budget_.fail_empty || (needs_samples_ && !any_shown()));
  return diagnostics.status();
}

}  // namespace perfsift::tools
