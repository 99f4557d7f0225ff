#include "tools/gate/run_store.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "analysis/gate/run_amounts.h"
#include "base/error.h"
#include "output/pprof/pprof.h"
#include "tools/gate/gate_run.h"

namespace perfsift::tools {
namespace {

using analysis::Run;

bool has_times(const analysis::SampleLog& log) {
  return std::ranges::any_of(log.samples(), [](const analysis::LoggedSample& s) { return s.time != reader::no_time; });
}

analysis::InputSamples samples_of(const analysis::Profile& profile, const ProfileCommand::ReadInput& input) {
  return {.profile = profile, .log = input.log, .first_list = input.first_list, .end_list = input.end_list};
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

}  // namespace

std::vector<Run> runs_of(const InputReport& report) {
  if (!analysis::has_runs(report.comments)) return {run_of(report)};
  try {
    return analysis::stored_runs(report.comments, report.run_samples);
  } catch (const InputError& error) {
    throw InputError(report.path + ": " + error.what());
  }
}

analysis::StackOptions stored_stacks(analysis::StackOptions stacks) {
  stacks.comm = false;
  stacks.frames.detail = analysis::FrameDetail::function;
  return stacks;
}

RunStore::RunStore(const analysis::Profile& profile, std::span<const InputOfRuns> inputs, bool one_run)
    : profile_(profile) {
  if (one_run) {
    add_as_one(inputs);
  } else {
    for (const InputOfRuns& input : inputs) add(input);
  }
}

void RunStore::add(const InputOfRuns& input) {
  std::vector<Run> runs = runs_of(*input.report);
  if (has_times(input.read->log)) runs.front().blocks = analysis::TimeBlocks::count;
  analysis::append_run(samples_of(profile_, *input.read), {.run = static_cast<std::uint32_t>(runs_.size())}, sums_);
  std::ranges::move(runs, std::back_inserter(runs_));
}

void RunStore::add_as_one(std::span<const InputOfRuns> inputs) {
  Run all;
  bool first = true;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (const Run& run : runs_of(*inputs[i].report)) join(run, std::exchange(first, false), all);
    if (has_times(inputs[i].read->log)) all.blocks = analysis::TimeBlocks::count;
    analysis::append_run(samples_of(profile_, *inputs[i].read),
                         {.run = static_cast<std::uint32_t>(runs_.size()),
                          .one_run = true,
                          .part = static_cast<std::uint32_t>(i),
                          .all_parts = static_cast<std::uint32_t>(inputs.size())},
                         sums_);
  }
  all.name = inputs.front().report->path;
  if (inputs.size() > 1) all.name += fmt::format(" and {} more", inputs.size() - 1);
  runs_.push_back(std::move(all));
}

// In the order of their names.
std::vector<analysis::EventId> RunStore::events() const {
  std::set<analysis::EventId> with_samples;
  for (const analysis::LoggedAmount& sum : sums_.amounts()) with_samples.insert(sum.event);
  std::vector<analysis::EventId> events(with_samples.begin(), with_samples.end());
  std::ranges::sort(events, {}, [&](analysis::EventId event) -> std::string_view { return profile_.events()[event]; });
  return events;
}

std::vector<analysis::StoredRun> RunStore::runs_with_samples() const {
  std::vector<analysis::StoredRun> stored;
  for (const Run& run : runs_) stored.push_back({.run = run});
  for (const analysis::LoggedAmount& sum : sums_.amounts()) stored[sum.run].samples += sum.amount.samples;
  return stored;
}

void RunStore::write(unsigned threads, output::OutputFile& out) const {
  output::ExportSource source{.profile = profile_, .log = sums_};
  source.events = events();
  source.comments = analysis::comments_of_runs(runs_with_samples());
  source.threads = threads;
  const output::PprofLabels labels{
      .pid = false, .tid = false, .comm = false, .cpu = false, .cgroup = false, .execution_mode = false, .run = true};
  write_pprof(source, labels, out);
}

}  // namespace perfsift::tools
