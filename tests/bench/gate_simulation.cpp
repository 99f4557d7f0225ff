// How often perfsift check is right, on pairs of runs whose difference is known: see gate_simulation.sh.
//
//   gate_simulation PAIRS FUNCTION SAME SAME... -- SLOWER SLOWER...
//
// SAME are recordings of one program, SLOWER of the same program with 5 % more work in FUNCTION.
#include "tests/support/gate_simulation.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "analysis/gate/judge.h"
#include "analysis/gate/statistics.h"
#include "symbolize/symbolizer.h"
#include "tools/gate/gate_run.h"
#include "tools/input_profile.h"

namespace perfsift {
namespace {

using analysis::FindingKind;
using analysis::FunctionId;
using analysis::GateSide;
using analysis::Run;

// All recordings, counted.
struct Recordings {
  analysis::Profile profile;
  std::vector<Run> same, slower;
  std::unique_ptr<analysis::GateStacks> stacks;
  FunctionId function = 0;
};

void read(const std::vector<std::string>& paths, const std::string& function, std::size_t first_slower,
          Recordings& into) {
  symbolize::Symbolizer symbolizer{symbolize::SymbolizeOptions()};
  analysis::StackOptions stacks;
  stacks.comm = false;
  stacks.frames.detail = analysis::FrameDetail::function;
  tools::Progress progress(true);
  const analysis::EventSelection events({});
  const filter::Filter filter;
  std::deque<analysis::SampleLog> logs;
  std::vector<tools::InputReport> reports;
  std::vector<std::size_t> ends{0};
  for (const std::string& path : paths) {
    logs.emplace_back();
    reports.push_back(
        tools::read_into_profile(path, into.profile, {symbolizer, stacks, events, filter, 2, progress, &logs.back()}));
    ends.push_back(into.profile.lists().size());
  }
  into.stacks = std::make_unique<analysis::GateStacks>(into.profile);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    Run run = tools::run_of(reports[i]);
    count_samples({.profile = into.profile, .log = logs[i], .first_list = ends[i], .end_list = ends[i + 1], .event = 0},
                  *into.stacks, run);
    (i < first_slower ? into.same : into.slower).push_back(std::move(run));
  }
  for (FunctionId id = 0; id < into.stacks->functions().size(); ++id) {
    if (into.stacks->functions()[id].name == function) into.function = id;
  }
}

double share_of(const GateSide& side, FunctionId function, const analysis::GateStacks& stacks) {
  double samples = 0;
  for (const Run& run : side.runs) {
    for (const analysis::BlockCount& count : run.counts) {
      const auto functions = stacks.functions_of(count.stack);
      if (!functions.empty() && functions.back() == function) samples += static_cast<double>(count.samples);
    }
  }
  return samples / static_cast<double>(side.samples());
}

// Welch's test of the numbers of samples per run, which are the times that runs took. Needs two runs a side.
bool totals_differ(const GateSide& before, const GateSide& after) {
  const auto moments = [](const GateSide& side) {
    double sum = 0, squares = 0;
    const auto count = static_cast<double>(side.runs.size());
    for (const Run& run : side.runs) sum += static_cast<double>(run.samples());
    for (const Run& run : side.runs) squares += std::pow(static_cast<double>(run.samples()) - sum / count, 2);
    return std::pair(sum / count, squares / (count - 1) / count);
  };
  if (before.runs.size() < 2 || after.runs.size() < 2) return false;
  const auto [mean_before, variance_before] = moments(before);
  const auto [mean_after, variance_after] = moments(after);
  const double variance = variance_before + variance_after;
  if (variance <= 0) return false;
  const auto each = static_cast<double>(before.runs.size() - 1);
  const double freedom =
      variance * variance / (variance_before * variance_before / each + variance_after * variance_after / each);
  return mean_after > mean_before &&
         analysis::student_tails((mean_after - mean_before) / std::sqrt(variance), freedom) < 0.05;
}

// What came out for many pairs.
struct Tally {
  int pairs = 0, alarms = 0, found = 0, others = 0, threshold = 0, totals = 0;

  void add(const GateSide& before, const GateSide& after, const Recordings& from, const analysis::Rules& rules) {
    const analysis::Verdict verdict =
        analysis::judge(*from.stacks, before, after, "", rules, {"lost", "throttled", "cut", "unnamed"});
    bool here = false, elsewhere = false;
    for (const analysis::Finding& finding : verdict.findings) {
      if (finding.kind != FindingKind::dearer && finding.kind != FindingKind::added) continue;
      const bool right = finding.function.name == from.stacks->functions()[from.function].name;
      (right ? here : elsewhere) = true;
    }
    bool over = false;
    for (FunctionId id = 0; id < from.stacks->functions().size(); ++id)
      over = over || share_of(after, id, *from.stacks) - share_of(before, id, *from.stacks) > 0.01;
    ++pairs;
    alarms += int{here || elsewhere}, found += int{here}, others += int{elsewhere};
    threshold += int{over}, totals += int{totals_differ(before, after)};
  }

  void print(const std::string& name) const {
    const auto percent = [&](int count) { return 100.0 * count / pairs; };
    std::printf("%-58s %5d %7.1f %% %7.1f %% %7.1f %% %7.1f %% %7.1f %%\n", name.c_str(), pairs, percent(alarms),
                percent(found), percent(others), percent(threshold), percent(totals));
  }
};

// Pairs drawn from the recordings without a change.
void simulate_drawn(const Recordings& from, int pairs, int runs, double samples, double more) {
  Tally tally;
  test::DrawnRuns draws(from.same, *from.stacks, samples, 1);
  for (int pair = 0; pair < pairs; ++pair) {
    GateSide before, after;
    for (int run = 0; run < runs; ++run) {
      before.runs.push_back(draws.draw());
      after.runs.push_back(draws.draw(from.function, more));
    }
    tally.add(before, after, from, {.min_effect = 0.003});
  }
  tally.print(std::to_string(runs) + " + " + std::to_string(runs) + " drawn runs of " +
              std::to_string(static_cast<int>(samples)) + " samples, " +
              (more > 0 ? std::to_string(static_cast<int>(100 * more + 0.5)) + " % more work" : "no change"));
}

// Pairs of real recordings, chosen anew for each pair.
void simulate_repeats(const Recordings& from, const std::vector<Run>& others, int pairs, std::size_t runs,
                      bool per_run) {
  Tally tally;
  std::mt19937_64 random(1);
  const bool same = &others == &from.same;
  for (int pair = 0; pair < pairs; ++pair) {
    std::vector<Run> first = from.same, second = others;
    std::ranges::shuffle(first, random);
    std::ranges::shuffle(second, random);
    if (same) second.assign(first.rbegin(), first.rend());
    GateSide before, after;
    before.runs.assign(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(runs));
    after.runs.assign(second.begin(), second.begin() + static_cast<std::ptrdiff_t>(runs));
    tally.add(before, after, from, {.min_effect = 0.003, .per_run = per_run});
  }
  tally.print(std::to_string(runs) + " + " + std::to_string(runs) + " recordings, " +
              (same ? "no change" : "5 % more work") + (per_run ? ", --per run" : ""));
}

int simulate(int pairs, const std::string& function, const std::vector<std::string>& paths, std::size_t first_slower) {
  Recordings recordings;
  read(paths, function, first_slower, recordings);
  GateSide all;
  all.runs = recordings.same;
  std::printf("%zu + %zu recordings of %.0f samples, %.1f %% in %s; --min-effect 0.3%%\n", recordings.same.size(),
              recordings.slower.size(), static_cast<double>(all.samples()) / static_cast<double>(all.runs.size()),
              100 * share_of(all, recordings.function, *recordings.stacks), function.c_str());
  std::printf("%-58s %5s %9s %9s %9s %9s %9s\n", "", "pairs", "fail", "rightly", "wrongly", "diff>1%", "t-test");
  for (const double more : {0.0, 0.05, 0.02}) {
    for (const double samples : {20'000.0, 80'000.0, 320'000.0, 1'280'000.0}) {
      if (samples > 1'000'000 && more != 0.02) continue;
      simulate_drawn(recordings, pairs, 1, samples, more);
      simulate_drawn(recordings, pairs, 4, samples / 4, more);
    }
  }
  for (const std::size_t runs : {1u, 3u, 5u}) {
    if (2 * runs > recordings.same.size()) continue;
    simulate_repeats(recordings, recordings.same, pairs, runs, false);
    if (runs <= recordings.slower.size()) simulate_repeats(recordings, recordings.slower, pairs, runs, false);
    if (runs > 1) simulate_repeats(recordings, recordings.same, pairs, runs, true);
    if (runs > 1 && runs <= recordings.slower.size())
      simulate_repeats(recordings, recordings.slower, pairs, runs, true);
  }
  return 0;
}

}  // namespace
}  // namespace perfsift

int main(int count, char** arguments) {
  std::vector<std::string> paths;
  std::size_t first_slower = 0;
  for (int i = 3; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "--") {
      first_slower = paths.size();
    } else {
      paths.push_back(argument);
    }
  }
  if (first_slower == 0 || first_slower == paths.size()) {
    std::fprintf(stderr, "Usage: gate_simulation PAIRS FUNCTION SAME... -- SLOWER...\n");
    return 2;
  }
  return perfsift::simulate(std::atoi(arguments[1]), arguments[2], paths, first_slower);
}
