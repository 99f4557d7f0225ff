#include "tools/doctor/limited_run.h"

#include <array>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/owned.h"

namespace perfsift::tools {
namespace {

// A group of its own, which can be killed whole, and SIGPIPE as it usually is.
class Attributes {
 public:
  Attributes() {
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

class Files {
 public:
  explicit Files(int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  ~Files() { posix_spawn_file_actions_destroy(&actions_); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

// The status of waitpid(); nothing: the program is still there after the time. It is asked for its end, not for the end
// of its output, which its own children may keep open.
std::optional<int> status_within(pid_t child, std::chrono::milliseconds limit) {
  constexpr std::chrono::milliseconds pause(5);
  const auto end = std::chrono::steady_clock::now() + limit;
  for (int status = 0;;) {
    if (waitpid(child, &status, WNOHANG) != 0) return status;
    if (std::chrono::steady_clock::now() >= end) return std::nullopt;
    std::this_thread::sleep_for(pause);
  }
}

std::string start_of(int output) {
  std::array<char, 256> text{};
  const ssize_t size = read(output, text.data(), text.size());
  return {text.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

}  // namespace

LimitedRun run_limited(std::vector<std::string> words, std::chrono::milliseconds limit) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return {};
  const FileDescriptor output(ends[0]), input(ends[1]);
  pid_t child = 0;
  if (posix_spawnp(&child, arguments.front(), Files(input.get()).get(), Attributes().get(), arguments.data(),
                   environ) != 0)
    return {};
  const auto status = status_within(child, limit);
  if (!status) {
    kill(-child, SIGKILL);
    waitpid(child, nullptr, 0);
    return {.too_late = true};
  }
  if (!WIFEXITED(*status) || WEXITSTATUS(*status) != 0) return {};
  return {.said = start_of(output.get())};
}

}  // namespace perfsift::tools
