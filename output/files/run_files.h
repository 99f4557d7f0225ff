// Which files a run reads, and which it writes: what is read is not written over, and nothing is written twice.
//
// ```cpp
// RunFiles files;
// files.reads(inputs);
// files.writes(output);  // throws UsageError
// ```
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace perfsift::output {

// Files are recognised under whatever name: through links, and where standard input and output are connected to them.
// Terminals and other devices may be read and written at once. Thread-safe.
class RunFiles {
 public:
  // A file, a directory with all the files in it (of `perf record --threads`), or "-": standard input. What is not
  // there, or has no name, is no matter here.
  void reads(const std::string& path);
  void reads(const std::vector<std::string>& paths);
  // Every file that this process has open to read, or mapped: for modules, whose host opened the recording. Standard
  // output and error are not among them.
  void reads_what_is_open();

  // Notes an output, or "-": standard output. Throws UsageError where the file is read, another output goes there too,
  // or a program or jitdump lies there: these are read for the names in them.
  void writes(const std::string& path);
  // The same for the file of each number that takes the place of `mark` in `path`. Throws for those that are there.
  void writes_numbered(const std::string& path, const std::string& mark);
  // Only checks whether a file may be written.
  void refuse(const std::string& path) const;

 private:
  using Identity = std::pair<dev_t, ino_t>;

  void read_file(const std::string& path);
  void refuse_read(const std::string& path) const;

  mutable std::mutex mutex_;
  std::set<Identity> read_;
  std::set<Identity> written_;           // that were there before
  std::set<std::string> written_paths_;  // without links
};

// For a module: the output is none of the files that its host reads. Throws UsageError.
void check_output_of_module(const std::string& output);

}  // namespace perfsift::output
