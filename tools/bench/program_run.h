// Runs programs, one after the other, so that a signal ends the program that runs, and nothing is left behind.
//
// ```cpp
// const SignalWatch watch;
// try {
//   watch.run({.words = {"perf", "record", "true"}, .errors = "errors.txt"});
// } catch (const Interrupted& interrupted) {
//   raise(interrupted.signal);
// }
// ```
#pragma once

#include <csignal>  // sigset_t
#include <string>
#include <vector>

namespace perfsift::tools {

// SIGHUP, SIGINT or SIGTERM arrived while a program ran. The program has ended.
struct Interrupted {
  int signal = 0;
};

struct ProgramRun {
  std::vector<std::string> words;  // the program, looked for in $PATH, and its arguments
  std::string errors;              // the file that gets standard error
  bool show_output = false;        // otherwise nothing is seen of standard output
};

struct ProgramEnd {
  bool found = true;  // false: there is no such program
  int status = 0;     // as in a shell: 128 + the signal that ended the program
};

// Holds these signals back for its lifetime: they are looked at while a program runs. For the only thread of a process.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  // Runs a program to its end, in a process group of its own, without standard input. A signal is passed to the group.
  // Throws Interrupted, and Error if no process can be made.
  ProgramEnd run(const ProgramRun& run) const;

 private:
  int wait_for(int child) const;

  sigset_t watched_, before_;
  struct sigaction child_action_ {};
};

}  // namespace perfsift::tools
