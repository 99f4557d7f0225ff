#include "analysis/gate/duplicate_runs.h"

#include <algorithm>
#include <utility>

namespace perfsift::analysis {
namespace {

bool is_same(const Run& run, const Run& other) {
  return !run.counts.empty() && run.blocks == other.blocks && run.counts == other.counts;
}

// A build may have lost all its runs.
void close_gaps(std::vector<std::size_t>& builds) {
  std::size_t last = 0, next = 0;
  for (std::size_t i = 0; i < builds.size(); ++i) {
    if (i != 0 && builds[i] != last) ++next;
    last = std::exchange(builds[i], next);
  }
}

}  // namespace

std::vector<DuplicateRun> remove_duplicate_runs(GateSide& side) {
  std::vector<DuplicateRun> duplicates;
  GateSide kept;
  for (std::size_t number = 0; number < side.runs.size(); ++number) {
    Run& run = side.runs[number];
    const auto same = std::ranges::find_if(kept.runs, [&](const Run& other) { return is_same(run, other); });
    if (same != kept.runs.end()) {
      duplicates.push_back({.name = run.name, .of = same->name});
      continue;
    }
    if (!side.builds.empty()) kept.builds.push_back(side.builds[number]);
    kept.runs.push_back(std::move(run));
  }
  close_gaps(kept.builds);
  side = std::move(kept);
  return duplicates;
}

}  // namespace perfsift::analysis
