#include "analysis/gate/sides.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/gate/duplicate_runs.h"
#include "analysis/gate/judge.h"
#include "analysis/gate/reasons.h"
#include "analysis/gate/stored_runs.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/share_work.h"

namespace perfsift::analysis {
namespace {

// The events of a side that have samples.
std::set<EventId> events_of(const SideInputs& side) {
  std::set<EventId> events;
  for (const SideInput& input : side.inputs) {
    for (const SampleRow& sample : input.table.samples()) {
      if (!events.contains(sample.event)) events.insert(sample.event);
    }
    for (const SumRow& sum : input.table.sums()) events.insert(sum.event);
  }
  return events;
}

std::vector<std::string> names_of(const Profile& profile, const std::set<EventId>& events) {
  std::vector<std::string> names;
  for (const EventId event : events) names.push_back(profile.events()[event]);
  return names;
}

std::string text_of(const Profile& profile, const std::set<EventId>& events) {
  return events.empty() ? "no event" : fmt::format("{}", fmt::join(names_of(profile, events), ", "));
}

void check_only_one(const Profile& profile, const std::set<EventId>& events) {
  if (events.size() <= 1) return;
  throw UsageError(printable(
      fmt::format("there are several events, {}: --event chooses the one to judge by", text_of(profile, events))));
}

// Sets blocks and counts of the runs of an input.
void count(const SideInput& input, EventId event, const GateStacks& stacks, std::vector<Run>& runs) {
  if (input.is_stored) {
    count_stored_samples(input.table, event, stacks, runs);
  } else {
    count_samples(input.table, event, stacks, runs.front());
  }
}

// Of several events, the counts of all: nothing is compared by them.
void count(const std::set<EventId>& events, const GateStacks& stacks, SideInput& input) {
  const EventId first = events.empty() ? EventId{0} : *events.begin();
  count(input, first, stacks, input.runs);
  for (const EventId event : events) {
    if (event == first) continue;
    std::vector<Run> more = input.runs;
    count(input, event, stacks, more);
    for (std::size_t run = 0; run < more.size(); ++run)
      std::ranges::move(more[run].counts, std::back_inserter(input.runs[run].counts));
  }
}

// All runs of a side, each recording once, however often it was named.
GateSide counted_side(SideInputs side, const std::set<EventId>& events, JudgedSides& judged, unsigned threads) {
  for_each_task(threads, side.inputs.size(),
                [&](std::size_t input) { count(events, *judged.stacks, side.inputs[input]); });
  GateSide result;
  for (SideInput& input : side.inputs) {
    if (side.builds != SideBuilds::not_told) {
      const bool same_build = result.builds.empty() || side.builds == SideBuilds::one;
      result.builds.resize(result.builds.size() + input.runs.size(), same_build ? 0 : result.builds.back() + 1);
    }
    std::ranges::move(input.runs, std::back_inserter(result.runs));
  }
  for (const DuplicateRun& run : remove_duplicate_runs(result))
    judged.notes.push_back(fmt::format("not counted: {} is the same recording as {}", run.name, run.of));
  return result;
}

// Events that cannot be compared, because one side has no samples of them.
void note_other_events(const Profile& profile, const std::set<EventId>& side, const std::set<EventId>& other,
                       std::string_view name, std::vector<std::string>& notes) {
  std::set<EventId> alone;
  std::ranges::set_difference(side, other, std::inserter(alone, alone.end()));
  for (const std::string& event : names_of(profile, alone))
    notes.push_back(fmt::format("not compared: the event {} is in the {} only", event, name));
}

}  // namespace

JudgedSides judge_sides(const Profile& profile, SideInputs before, SideInputs after, const SideRules& how) {
  JudgedSides judged;
  const std::set<EventId> first = events_of(before), second = events_of(after);
  std::set<EventId> common;
  std::ranges::set_intersection(first, second, std::inserter(common, common.end()));
  if (common.empty() && !first.empty() && !second.empty()) {
    judged.verdict.rules = how.rules;
    judged.verdict.reasons.push_back(different_events(names_of(profile, first), names_of(profile, second)));
    return judged;
  }
  check_only_one(profile, common);
  if (!common.empty()) {
    note_other_events(profile, first, second, "baseline", judged.notes);
    note_other_events(profile, second, first, "candidate", judged.notes);
  }
  judged.stacks.emplace(profile, how.threads);
  judged.before = counted_side(std::move(before), common, judged, how.threads);
  judged.after = counted_side(std::move(after), common, judged, how.threads);
  judged.verdict = judge(*judged.stacks, judged.before, judged.after, text_of(profile, common), how.rules, how.allowed);
  return judged;
}

JudgedSides look_at_side(const Profile& profile, SideInputs candidate, bool one_event, const SideRules& how) {
  JudgedSides judged;
  const std::set<EventId> events = events_of(candidate);
  if (one_event) check_only_one(profile, events);
  judged.stacks.emplace(profile, how.threads);
  judged.after = counted_side(std::move(candidate), events, judged, how.threads);
  judged.verdict = look_at(judged.after, text_of(profile, events), how.rules, how.allowed);
  return judged;
}

}  // namespace perfsift::analysis
