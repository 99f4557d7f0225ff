// What a batch reads, and where it writes.
#pragma once

#include <string>
#include <vector>

namespace perfsift::tools {

// Recordings to read, each with the place to write to.
struct FilterJob {
  std::string input;
  std::string output;
};

struct FilterPlan {
  std::vector<FilterJob> jobs;
  std::vector<std::string> skipped;  // files of directories that are no recordings
};

// What `inputs` mean: files as they are, of directories (but those of `perf record --threads`, which are recordings)
// all recordings below them. Several recordings, or those of a directory, are written into the directory `output`,
// under the names they have, below a directory given with the path they have in it. Throws UsageError where two would
// get the same place, InputError for a directory that cannot be read or has no recording in it.
FilterPlan plan_jobs(const std::vector<std::string>& inputs, const std::string& output);

}  // namespace perfsift::tools
