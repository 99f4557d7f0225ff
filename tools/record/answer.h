// --fold, --flame, --report and --offcpu of perfsift record: a command that reads the recording while it is made.
//
//   rings ──▶ RecordedFile in pipe form ──▶ pipe ──▶ the command, in a child process ──▶ standard output
//
// The child is a copy of this process, with the descriptors that this process had before anything was recorded: it
// holds no ring and no BPF program if this process is killed. The pipe holds little, so the memory of both processes
// does not grow with the recording, unless the command's own does.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include <sys/types.h>

#include "base/owned.h"
#include "tools/command.h"
#include "tools/record/record_signals.h"

namespace perfsift::tools {

// What the command line of record asks for. The words are those of the command, with standard input as the input.
struct AnswerRequest {
  const Command* command = nullptr;
  std::unique_ptr<CommandRun> run;  // whose options are set
  options::Arguments words;
  bool prints_meanwhile = false;  // not only when the recording has ended
};

// Not thread-safe. Signals that end the recorder, such as Ctrl-C, do not end the child, which still has to answer.
class Answer {
 public:
  // Starts the command. No other thread may run. Throws Error.
  explicit Answer(AnswerRequest request);
  // Ends the command without an answer, unless conclude() was called.
  ~Answer();
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;

  const AnswerRequest& request() const { return request_; }
  // A new descriptor, to which the recording goes in pipe form.
  FileDescriptor pipe() const;
  // Returns when the command has taken all that was written so far: its options are right, and its outputs open. Throws
  // OutputClosed if the command has ended instead.
  void wait_until_it_reads();
  // Ends the recording for the command, waits for the answer, and starts the command for another recording. Signals
  // wait as long. Throws OutputClosed if the exit status is not 0, or if standard output has no reader any more.
  void restart();
  // Ends the recording for the command, and waits for the answer. Returns the command's exit status. SIGINT, SIGTERM
  // and SIGHUP then kill the command.
  int conclude();

 private:
  void start();
  void close_later_descriptors() const;
  bool has_ended();

  AnswerRequest request_;
  const std::set<int> descriptors_;  // that were open before
  RecordSignals signals_;
  FileDescriptor write_end_;
  pid_t child_ = -1;
  std::optional<int> status_;  // of waitpid()
};

}  // namespace perfsift::tools
