// The files that a run reads and writes: no input is overwritten, and no output is written twice.
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

// Files are recognised under any name: through links, and as standard input or output.
// Terminals and other devices may be read and written at once. Thread-safe.
class RunFiles {
 public:
  // `path`: a file, a directory of `perf record --threads` with all its files, or "-": standard input. Paths without a
  // file are passed over.
  void reads(const std::string& path);
  void reads(const std::vector<std::string>& paths);
  // Notes every file that this process has open to read, or mapped, but not standard output and error. For modules,
  // whose host has opened the recording.
  void reads_what_is_open();

  // Notes an output, or "-": standard output. Throws UsageError where the file is read, another output goes there too,
  // or a program or jitdump lies there: these are read for the names in them.
  void writes(const std::string& path);
  // writes() for all files whose names have a number in the place of `mark`. Throws if such a file exists.
  void writes_numbered(const std::string& path, const std::string& mark);
  // Throws UsageError if the file may not be written; notes nothing.
  void refuse(const std::string& path) const;

 private:
  using Identity = std::pair<dev_t, ino_t>;

  void read_file(const std::string& path);
  void refuse_read(const std::string& path) const;

  mutable std::mutex mutex_;
  std::set<Identity> read_;
  std::set<Identity> written_;           // files that existed before
  std::set<std::string> written_paths_;  // without links
};

// Throws UsageError if the output of a module is a file that its host reads.
void check_output_of_module(const std::string& output);

}  // namespace perfsift::output
