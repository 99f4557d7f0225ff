// The command that a session records: a process that waits before it executes its program, so that events can be opened
// for it (evlist__prepare_workload() in tools/perf/util/evlist.c).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/owned.h"

namespace perfsift::record {

// Not thread-safe.
class Workload {
 public:
  // Starts the process, with the signal mask and the ignored signals of a fresh shell. Throws Error.
  explicit Workload(const std::vector<std::string>& command);
  // No child is left: a process that still runs gets SIGTERM and, a second later, SIGKILL.
  ~Workload();
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;

  std::int32_t pid() const { return pid_; }
  // Lets the process execute the program, and returns when that has happened. Throws UsageError with the reason when
  // the program cannot be executed.
  void execute();
  // Readable from the moment at which the process has ended; -1 before Linux 5.3.
  int end_fd() const { return pidfd_.get(); }
  // The status of waitpid(), once the process has ended.
  std::optional<int> status();
  void signal(int number);

 private:
  bool ends_within(int milliseconds);

  std::string program_;
  std::int32_t pid_ = -1;
  FileDescriptor go_, failure_, pidfd_;
  std::optional<int> status_;
};

}  // namespace perfsift::record
