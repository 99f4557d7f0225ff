#include "tools/gate/run_store.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "analysis/gate/run_amounts.h"
#include "analysis/gate/stored_digest.h"
#include "analysis/table/table_builder.h"
#include "base/error.h"
#include "output/pprof/pprof.h"
#include "tools/gate/gate_run.h"

namespace perfsift::tools {
namespace {

using analysis::Run;

bool has_times(const analysis::SampleTable& table) {
  return std::ranges::any_of(table.samples(), [](const analysis::SampleRow& s) { return s.time != reader::no_time; });
}

// What is known of all runs together. Where two runs differ in their environment, the run has none.
void join(const Run& run, bool first, Run& all) {
  if (first) {
    all.environment = run.environment;
    all.quality = run.quality;
  } else {
    if (all.environment != run.environment) all.environment.reset();
    if (all.quality && run.quality) {
      all.quality->add(*run.quality);
    } else {
      all.quality.reset();
    }
  }
  all.throttled += run.throttled;
  all.damaged |= run.damaged;
  all.blocks = std::max(all.blocks, run.blocks);
}

// Copies the lists from one on, with their events under the same numbers.
void copy_lists(const analysis::Profile& from, std::size_t first, analysis::Profile& to) {
  for (analysis::EventId event = 0; event < from.events().size(); ++event) to.event_from(from, event);
  std::vector<analysis::FrameId> frames, copies;
  for (std::size_t number = first; number < from.lists().size(); ++number) {
    const analysis::StackList& list = from.lists()[number];
    analysis::StackList& copy = to.new_list();
    for (const analysis::StackList::Entry& entry : list.entries()) {
      from.get_frames(entry, frames);
      copies.clear();
      for (const analysis::FrameId frame : frames) copies.push_back(to.frames().intern_from(from.frames(), frame));
      copy.add(from.callers(entry.callers).event, copies, entry.amount);
    }
    copy.add_frameless(list.frameless());
  }
}

// The sums by the numbers that stacks have without those before them.
analysis::SampleTable renumbered(const analysis::SampleTable& sums, std::uint32_t first_stack) {
  analysis::TableBuilder rows;
  const std::uint32_t context = rows.context({});
  for (analysis::SumRow sum : sums.sums()) {
    if (sum.stack != analysis::SampleRow::no_stack) sum.stack -= first_stack;
    sum.context = context;
    rows.append(sum);
  }
  return std::move(rows).seal();
}

}  // namespace

bool has_runs(const InputReport& report) {
  if (report.get<StoreReport>() != nullptr) return true;
  const auto* const pprof = report.get<PprofReport>();
  return pprof != nullptr && analysis::has_runs(pprof->comments);
}

std::vector<Run> runs_of(const InputReport& report) {
  if (const auto* const store = report.get<StoreReport>()) return store->hosts;
  try {
    const auto* const pprof = report.get<PprofReport>();
    std::vector<Run> runs = has_runs(report) ? analysis::stored_runs(pprof->comments, pprof->run_samples)
                                             : std::vector<Run>{run_of(report)};
    if (pprof != nullptr && !pprof->agrees_with_digest) throw InputError(analysis::changed_text);
    return runs;
  } catch (const InputError& error) {
    throw InputError(report.path + ": " + error.what());
  }
}

analysis::StackOptions stored_stacks(analysis::StackOptions stacks) {
  stacks.comm = false;
  stacks.frames.detail = analysis::FrameDetail::function;
  stacks.count_by_value = true;
  stacks.names_no_stack = false;
  return stacks;
}

RunStore::RunStore(const analysis::Profile& profile, std::span<const InputOfRuns> inputs, bool one_run)
    : profile_(profile), first_list_(inputs.empty() ? 0 : inputs.front().read->first_list) {
  for (const InputOfRuns& input : inputs) first_list_ = std::min(first_list_, input.read->first_list);
  analysis::TableBuilder rows;
  if (one_run) {
    add_as_one(inputs, rows);
  } else {
    for (const InputOfRuns& input : inputs) add(input, rows);
  }
  table_ = std::move(rows).seal();
}

void RunStore::add(const InputOfRuns& input, analysis::TableBuilder& rows) {
  std::vector<Run> runs = runs_of(*input.report);
  if (has_times(input.read->table)) runs.front().blocks = analysis::TimeBlocks::count;
  // A profile of another program may have a label "run", too.
  analysis::append_run(input.read->table,
                       {.run = static_cast<std::uint32_t>(runs_.size()), .one_run = !has_runs(*input.report)}, rows);
  std::ranges::move(runs, std::back_inserter(runs_));
}

void RunStore::add_as_one(std::span<const InputOfRuns> inputs, analysis::TableBuilder& rows) {
  Run all;
  bool first = true;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (const Run& run : runs_of(*inputs[i].report)) join(run, std::exchange(first, false), all);
    if (has_times(inputs[i].read->table)) all.blocks = analysis::TimeBlocks::count;
    analysis::append_run(inputs[i].read->table,
                         {.run = static_cast<std::uint32_t>(runs_.size()),
                          .one_run = true,
                          .part = static_cast<std::uint32_t>(i),
                          .all_parts = static_cast<std::uint32_t>(inputs.size())},
                         rows);
  }
  all.name = inputs.front().report->path;
  if (inputs.size() > 1) all.name += fmt::format(" and {} more", inputs.size() - 1);
  runs_.push_back(std::move(all));
}

void RunStore::stamp(std::uint64_t now) {
  for (Run& run : runs_) {
    if (!run.stored_at) run.stored_at = now;
  }
}

std::uint64_t RunStore::stored_at() const {
  std::uint64_t latest = 0;
  for (const Run& run : runs_) latest = std::max(latest, run.stored_at.value_or(0));
  return latest;
}

// In the order of their names.
std::vector<analysis::EventId> RunStore::events() const {
  std::set<analysis::EventId> with_samples;
  for (const analysis::SumRow& sum : table_.sums()) with_samples.insert(sum.event);
  std::vector<analysis::EventId> events(with_samples.begin(), with_samples.end());
  std::ranges::sort(events, {}, [&](analysis::EventId event) -> std::string_view { return profile_.events()[event]; });
  return events;
}

std::vector<analysis::StoredRun> RunStore::runs_with_samples() const {
  std::vector<analysis::StoredRun> stored;
  for (const Run& run : runs_) stored.push_back({.run = run});
  for (const analysis::SumRow& sum : table_.sums()) stored[sum.run].samples += sum.amount.samples;
  return stored;
}

void RunStore::write(unsigned threads, output::OutputFile& out) const {
  if (first_list_ == 0) return write(profile_, table_, threads, out);
  analysis::Profile part;
  copy_lists(profile_, first_list_, part);
  write(part, renumbered(table_, profile_.first_stack(first_list_)), threads, out);
}

void RunStore::write(const analysis::Profile& profile, const analysis::SampleTable& table, unsigned threads,
                     output::OutputFile& out) const {
  output::ExportSource source{.profile = profile, .table = table};
  source.events = events();
  source.comments = analysis::comments_of_runs(runs_with_samples());
  source.digest = true;
  source.threads = threads;
  const output::PprofLabels labels{.pid = false,
                                   .tid = false,
                                   .comm = false,
                                   .cpu = false,
                                   .cgroup = false,
                                   .execution_mode = false,
                                   .other = false,
                                   .run = true};
  write_pprof(source, labels, out);
}

}  // namespace perfsift::tools
