// Runs in a profile of pprof: what pprof has no field for, in comments and labels.
//
// Each sample has the labels `run` and `block`, and its count. The comments say what is known of each run, one fact a
// line; pprof shows them with -comments:
//
//   perfsift-runs=1.1
//   perfsift-run.0.name=before.data
//   perfsift-run.0.samples=10000
//   perfsift-run.0.kernel=6.1.0-28-amd64
//   perfsift-run.0.unresolved=12 stripped /usr/bin/true
//
// A reader passes over facts that it does not know, so a later version may add facts. The sums of samples are checked,
// and a digest of all bytes (stored_digest.h): a file that was cut, joined with another, or changed is refused.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "analysis/gate/run.h"

namespace perfsift::analysis {

// Runs without their counts, which are in the samples.
struct StoredRun {
  Run run;
  std::uint64_t samples = 0;  // of all events
};

// The comments of a profile with these runs.
std::vector<std::string> comments_of_runs(std::span<const StoredRun> runs);

bool has_runs(std::span<const std::string> comments);
// Whether the profile was stored with a digest: from version 1.1 on.
bool has_digest(std::span<const std::string> comments);
// The runs by number. `samples`: those of each run in the profile, see PprofCollector::run_samples(). Throws
// InputError, without the name of the input, for runs of a later version, and where the samples and the comments do not
// agree.
std::vector<Run> stored_runs(std::span<const std::string> comments,
                             const std::map<std::uint32_t, std::uint64_t>& samples);
// Sets the counts of the runs of a stored profile.
void count_stored_samples(const SampleTable& table, EventId event, const GateStacks& stacks, std::span<Run> runs);

}  // namespace perfsift::analysis
