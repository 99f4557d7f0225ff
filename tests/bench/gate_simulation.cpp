// How often perfsift check is right, on pairs of runs with a known difference: see gate_simulation.sh.
//
//   gate_simulation [--repeats] PAIRS FUNCTION DELTAS SAME... --PERCENT OTHER... [--PERCENT OTHER...]
//
// With --repeats, only pairs of the recordings themselves are compared, with and without samples in interrupts: see
// gate_neighbour.sh. SAME are recordings of one program. OTHER are recordings of the same program with PERCENT % more
// work in FUNCTION (0: without a change). DELTAS is a file with a line for some pairs of recordings: both paths, and
// the largest Delta of perf diff.
#include "tests/support/gate_simulation.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
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

// All recordings, as counted runs.
struct Recordings {
  analysis::Profile profile;
  std::vector<Run> same;
  std::map<int, std::vector<Run>> others;                        // by percent
  std::map<std::pair<std::string, std::string>, double> deltas;  // the Delta of perf diff
  std::unique_ptr<analysis::GateStacks> stacks;
  FunctionId function = 0;
};

// A recording, and the additional work of its program.
struct Named {
  std::string path;
  std::optional<int> percent;  // nothing: the baseline
};

void read_deltas(const std::string& path, Recordings& into) {
  std::ifstream file(path);
  std::string before, after;
  for (double delta = 0; file >> before >> after >> delta;) into.deltas[{before, after}] = delta;
}

void read(const std::vector<Named>& named, const std::string& function, Recordings& into) {
  symbolize::Symbolizer symbolizer{symbolize::SymbolizeOptions()};
  analysis::StackOptions stacks;
  stacks.comm = false;
  stacks.frames.detail = analysis::FrameDetail::function;
  tools::Progress progress(true);
  const analysis::EventSelection events({});
  const filter::Filter filter;
  std::deque<analysis::TableBuilder> rows;
  std::vector<tools::InputReport> reports;
  std::vector<std::size_t> ends{0};
  for (const auto& [path, percent] : named) {
    rows.emplace_back();
    reports.push_back(
        tools::read_into_profile(path, into.profile, {symbolizer, stacks, events, filter, 2, progress, &rows.back()}));
    ends.push_back(into.profile.lists().size());
  }
  into.stacks = std::make_unique<analysis::GateStacks>(into.profile);
  for (std::size_t i = 0; i < named.size(); ++i) {
    Run run = tools::run_of(reports[i]);
    count_samples(std::move(rows[i]).seal(into.profile, ends[i], ends[i + 1]), 0, *into.stacks, run);
    (named[i].percent ? into.others[*named[i].percent] : into.same).push_back(std::move(run));
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

// Welch's test of the numbers of samples per run, which measure the times of runs. Needs two runs on each side.
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

// Whether perf diff prints a Delta over 1 %. Nothing for pairs that perf diff cannot compare, or that were not tested
// with perf diff.
std::optional<bool> perf_diff_differs(const GateSide& before, const GateSide& after, const Recordings& from) {
  if (before.runs.size() != 1 || after.runs.size() != 1) return std::nullopt;
  const auto found = from.deltas.find({before.runs.front().name, after.runs.front().name});
  return found == from.deltas.end() ? std::nullopt : std::optional(found->second > 1);
}

// The results for many pairs.
struct Tally {
  int pairs = 0, alarms = 0, found = 0, others = 0, threshold = 0, totals = 0, compared = 0, perf_diff = 0;

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
    const std::optional<bool> by_perf = perf_diff_differs(before, after, from);
    compared += int{by_perf.has_value()}, perf_diff += int{by_perf.value_or(false)};
  }

  void print(const std::string& name) const {
    const auto percent = [&](int count) { return 100.0 * count / pairs; };
    std::printf("%-58s %5d %7.1f %% %7.1f %% %7.1f %% %7.1f %% %7.1f %%", name.c_str(), pairs, percent(alarms),
                percent(found), percent(others), percent(threshold), percent(totals));
    if (compared != 0) std::printf(" %7.1f %%", 100.0 * perf_diff / compared);
    std::printf("\n");
    std::fflush(stdout);
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

// Real recordings, chosen again for each comparison.
void simulate_repeats(const Recordings& from, int percent, int comparisons, std::size_t runs,
                      const analysis::Rules& rules) {
  const std::vector<Run>& others = from.others.at(percent);
  if (runs > from.same.size() || runs > others.size()) return;
  Tally tally;
  std::mt19937_64 random(1);
  for (int comparison = 0; comparison < comparisons; ++comparison) {
    GateSide before, after;
    std::ranges::sample(from.same, std::back_inserter(before.runs), static_cast<std::ptrdiff_t>(runs), random);
    std::ranges::sample(others, std::back_inserter(after.runs), static_cast<std::ptrdiff_t>(runs), random);
    tally.add(before, after, from, rules);
  }
  tally.print(std::to_string(runs) + " + " + std::to_string(runs) + " recordings, " +
              (percent == 0 ? "no change" : std::to_string(percent) + " % more work") +
              (rules.per_run ? ", --per run" : "") + (rules.with_interrupts ? ", with interrupts" : ""));
}

// Histories of 20 drawn runs, and a candidate. `growth`: the additional work from each run to the next. `step`: the
// additional work in the candidate.
void simulate_history(const Recordings& from, int histories, double samples, double growth, double step) {
  constexpr std::size_t length = 20;
  int failed = 0, steps = 0, drifts = 0, others = 0;
  test::DrawnRuns draws(from.same, *from.stacks, samples, 2);
  for (int history = 0; history < histories; ++history) {
    GateSide before, after;
    for (std::size_t run = 0; run < length; ++run) {
      before.runs.push_back(draws.draw(from.function, growth * static_cast<double>(run)));
      before.builds.push_back(run);
    }
    after.runs.push_back(draws.draw(from.function, growth * length + step));
    after.builds.push_back(0);
    const analysis::Verdict verdict =
        analysis::judge(*from.stacks, before, after, "", {.min_effect = 0.003, .history = true},
                        {"lost", "throttled", "cut", "unnamed"});
    bool any_step = false, any_drift = false, any_other = false;
    for (const analysis::Finding& finding : verdict.findings) {
      const bool right = finding.function.name == from.stacks->functions()[from.function].name;
      const bool is_step = finding.kind == FindingKind::dearer || finding.kind == FindingKind::added;
      const bool is_drift = finding.kind == FindingKind::drifting;
      any_step = any_step || (right && is_step);
      any_drift = any_drift || (right && is_drift);
      any_other = any_other || (!right && (is_step || is_drift));
    }
    failed += int{any_step || any_drift || any_other};
    steps += int{any_step}, drifts += int{any_drift}, others += int{any_other};
  }
  const auto percent = [&](int count) { return 100.0 * count / histories; };
  std::printf(
      "20 + 1 drawn runs of %.0f samples, %+.1f %% each, %+.1f %% at last %12d %7.1f %% %7.1f %% %7.1f %% %7.1f %%\n",
      samples, 100 * growth, 100 * step, histories, percent(failed), percent(steps), percent(drifts), percent(others));
  std::fflush(stdout);
}

void simulate_histories(const Recordings& from, int histories) {
  std::printf("%-58s %5s %9s %9s %9s %9s\n", "", "hist.", "fail", "step", "drift", "others");
  for (const double samples : {5'000.0, 20'000.0}) {
    for (const auto& [growth, step] : {std::pair(0.0, 0.0), {0.0, 0.1}, {0.005, 0.0}, {0.005, 0.1}})
      simulate_history(from, histories, samples, growth, step);
  }
}

void simulate_recordings(const Recordings& from, int pairs) {
  for (const std::size_t runs : {1u, 3u, 5u, 10u, 20u, 30u}) {
    for (const bool per_run : {false, true}) {
      if (runs == 1 && per_run) continue;
      for (const auto& [percent, others] : from.others) {
        analysis::Rules rules{.min_effect = 0.003, .per_run = per_run};
        simulate_repeats(from, percent, pairs, runs, rules);
        rules.with_interrupts = true;
        if (from.stacks->any_interrupt()) simulate_repeats(from, percent, pairs, runs, rules);
      }
    }
  }
}

// The share of samples in interrupts.
double interrupts_of(const std::vector<Run>& runs, const analysis::GateStacks& stacks) {
  GateSide side;
  side.runs = runs;
  return static_cast<double>(without_interrupts(side, stacks).interrupts()) / static_cast<double>(side.samples());
}

int simulate(bool only_repeats, int pairs, const std::string& function, const std::string& deltas,
             const std::vector<Named>& named) {
  Recordings recordings;
  read(named, function, recordings);
  read_deltas(deltas, recordings);
  GateSide all;
  all.runs = recordings.same;
  std::printf("%zu recordings without a change of %.0f samples, %.1f %% in %s; --min-effect 0.3%%\n",
              recordings.same.size(), static_cast<double>(all.samples()) / static_cast<double>(all.runs.size()),
              100 * share_of(all, recordings.function, *recordings.stacks), function.c_str());
  for (const auto& [percent, others] : recordings.others) {
    std::printf("in interrupts: %.2f %%, %.2f %% of the others\n",
                100 * interrupts_of(recordings.same, *recordings.stacks),
                100 * interrupts_of(others, *recordings.stacks));
  }
  std::printf("%-58s %5s %9s %9s %9s %9s %9s %9s\n", "", "pairs", "fail", "rightly", "wrongly", "diff>1%", "t-test",
              "perf diff");
  if (only_repeats) return simulate_recordings(recordings, pairs), 0;
  for (const double more : {0.0, 0.05, 0.02}) {
    for (const double samples : {20'000.0, 80'000.0, 320'000.0, 1'280'000.0}) {
      if (samples > 1'000'000 && more != 0.02) continue;
      simulate_drawn(recordings, pairs, 1, samples, more);
      simulate_drawn(recordings, pairs, 4, samples / 4, more);
    }
  }
  simulate_recordings(recordings, pairs);
  simulate_histories(recordings, pairs);
  return 0;
}

}  // namespace
}  // namespace perfsift

int main(int count, char** arguments) {
  std::vector<perfsift::Named> named;
  std::optional<int> percent;
  const bool only_repeats = count > 1 && std::string(arguments[1]) == "--repeats";
  if (only_repeats) --count, ++arguments;
  for (int i = 4; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument.starts_with("--")) {
      percent = std::atoi(argument.c_str() + 2);
    } else {
      named.push_back({argument, percent});
    }
  }
  if (!percent) {
    std::fprintf(stderr, "Usage: gate_simulation [--repeats] PAIRS FUNCTION DELTAS SAME... --PERCENT OTHER...\n");
    return 2;
  }
  return perfsift::simulate(only_repeats, std::atoi(arguments[1]), arguments[2], arguments[3], named);
}
