// The signals that a recorder takes: they are looked at between two passes over the rings.
#pragma once

#include <csignal>
#include <initializer_list>
#include <optional>

#include "base/owned.h"

namespace perfsift::tools {

struct ReceivedSignal {
  int number = 0;
  // Sent by kill(2) to this process alone. A terminal sends its signals to all processes in front, to a recorded
  // command, too.
  bool from_process = false;
};

// Holds back SIGINT, SIGTERM, SIGHUP and SIGUSR2 for its lifetime, for the only thread of a process. Programs that this
// process has started before are not concerned.
class RecordSignals {
 public:
  // `more`: other signals to hold back. Throws Error.
  explicit RecordSignals(std::initializer_list<int> more = {});
  ~RecordSignals();
  RecordSignals(const RecordSignals&) = delete;
  RecordSignals& operator=(const RecordSignals&) = delete;

  // The next signal that has come. Does not wait.
  std::optional<ReceivedSignal> next();
  // Readable when a signal has come.
  int fd() const { return fd_.get(); }

 private:
  sigset_t before_{};
  FileDescriptor fd_;
};

}  // namespace perfsift::tools
