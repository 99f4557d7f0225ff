#include "tools/bench/program_run.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <initializer_list>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

namespace perfsift::tools {
namespace {

constexpr std::initializer_list<int> ending_signals{SIGHUP, SIGINT, SIGTERM};
// A program that is still there so long after a signal is killed.
constexpr timespec patience{.tv_sec = 5, .tv_nsec = 0};

sigset_t set_of(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals) sigaddset(&set, signal);
  return set;
}

// The state in which the program starts: a group of its own, and signals as they usually are.
class SpawnAttributes {
 public:
  explicit SpawnAttributes(const sigset_t& mask) {
    const sigset_t usual = set_of({SIGPIPE, SIGCHLD});
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setsigmask(&attributes_, &mask);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;

  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

class SpawnFiles {
 public:
  explicit SpawnFiles(const ProgramRun& run) {
    constexpr mode_t only_this_user = 0600;
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!run.show_output) posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, run.errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     only_this_user);
  }
  ~SpawnFiles() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnFiles(const SpawnFiles&) = delete;
  SpawnFiles& operator=(const SpawnFiles&) = delete;

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

int status_of(int wait_status) {
  constexpr int by_signal = 128;
  return WIFSIGNALED(wait_status) ? by_signal + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

// Whether the child has ended; then `status` is how.
bool has_ended(pid_t child, int& status) { return waitpid(child, &status, WNOHANG) == child; }

// Passes the signal on, and waits until the child has ended.
void end_group(pid_t child, int signal) {
  kill(-child, signal);
  const sigset_t ended = set_of({SIGCHLD});
  int status = 0;
  while (!has_ended(child, status)) {
    if (sigtimedwait(&ended, nullptr, &patience) < 0 && errno == EAGAIN) kill(-child, SIGKILL);
  }
  kill(-child, SIGKILL);  // the rest of the group
}

}  // namespace

SignalWatch::SignalWatch() : watched_(set_of(ending_signals)) {
  sigaddset(&watched_, SIGCHLD);
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &usual, &child_action_);  // an ignored SIGCHLD would take away the exit status
  sigprocmask(SIG_BLOCK, &watched_, &before_);
}

SignalWatch::~SignalWatch() {
  sigaction(SIGCHLD, &child_action_, nullptr);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

ProgramEnd SignalWatch::run(const ProgramRun& run) const {
  std::vector<std::string> words = run.words;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const SpawnAttributes attributes(before_);
  const SpawnFiles files(run);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments.front(), files.get(), attributes.get(), arguments.data(), environ);
  if (failed == ENOENT) return {.found = false};
  if (failed != 0) throw Error("'" + words.front() + "': cannot be run: " + std::strerror(failed));
  return {.status = wait_for(child)};
}

int SignalWatch::wait_for(pid_t child) const {
  for (int status = 0;;) {
    if (has_ended(child, status)) return status_of(status);
    const int signal = sigwaitinfo(&watched_, nullptr);
    if (signal <= 0 || signal == SIGCHLD) continue;
    end_group(child, signal);
    throw Interrupted{signal};
  }
}

}  // namespace perfsift::tools
