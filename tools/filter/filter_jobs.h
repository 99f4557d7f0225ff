// The inputs and outputs of a batch.
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

// `inputs`: files, and directories, which stand for all recordings below them (a directory of `perf record --threads`
// is a recording). Several recordings, and those of a directory, are written into the directory `output` under their
// own names; a recording below a given directory keeps its path in that directory. Throws UsageError if two outputs
// would have the same name, InputError for a directory that cannot be read or has no recording in it.
FilterPlan plan_jobs(const std::vector<std::string>& inputs, const std::string& output);

}  // namespace perfsift::tools
