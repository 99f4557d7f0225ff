// What a batch reads, and where it writes.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace perfsift::tools {

// The files that are read, to be recognised under whatever name. Const members are thread-safe.
class InputFiles {
 public:
  // A file, a directory of `perf record --threads` with all in it, or "-": what standard input is connected to. What is
  // not there is no matter here.
  void add(const std::string& path);
  // Throws UsageError when there is a file at `output` and it is one of them.
  void refuse(const std::string& output) const;

 private:
  std::set<std::pair<dev_t, ino_t>> files_;
};

// Recordings to read, each with the place to write to.
struct FilterJob {
  std::string input;
  std::string output;
};

// What `inputs` mean: files as they are, of directories (but those of `perf record --threads`, which are recordings)
// all recordings below them. Several recordings, or those of a directory, are written into the directory `output`,
// under the names they have, below a directory given with the path they have in it. Throws UsageError where two would
// get the same place or one would be written over, InputError for a directory that cannot be read.
std::vector<FilterJob> plan_jobs(const std::vector<std::string>& inputs, const std::string& output);

}  // namespace perfsift::tools
