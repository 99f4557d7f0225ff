#include "record/workload.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/printable.h"

namespace perfsift::record {

namespace {

struct Pipe {
  FileDescriptor read_end, write_end;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(fmt::format("pipe: {}", std::strerror(errno)));
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

ssize_t read_again(int fd, void* to, std::size_t size) {
  ssize_t got = 0;
  do {
    got = ::read(fd, to, size);
  } while (got < 0 && errno == EINTR);
  return got;
}

// The program starts as a shell would start it, whatever this process blocks or ignores. Handlers are reset by exec.
void reset_signals() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
}

// In the child, which may call async-signal-safe functions only. Closes its own end of `go` by the number: the end of
// file on that pipe says that the parent is gone.
[[noreturn]] void execute_when_told(char* const* arguments, int go, int own_write_end, int failure) {
  close(own_write_end);
  char sign = 0;
  if (read_again(go, &sign, 1) != 1) _exit(0);
  reset_signals();
  execvp(arguments[0], arguments);
  const int reason = errno;
  [[maybe_unused]] const ssize_t written = write(failure, &reason, sizeof reason);
  _exit(127);
}

std::vector<char*> pointers(std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  return arguments;
}

FileDescriptor open_pidfd(std::int32_t pid) {
#ifdef SYS_pidfd_open
  return FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
#else
  return FileDescriptor();
#endif
}

}  // namespace

Workload::Workload(const std::vector<std::string>& command) : program_(command.at(0)) {
  std::vector<std::string> copy = command;
  const std::vector<char*> arguments = pointers(copy);
  Pipe go = make_pipe(), failure = make_pipe();
  pid_ = fork();
  if (pid_ < 0) throw Error(fmt::format("fork: {}", std::strerror(errno)));
  if (pid_ == 0) {
    execute_when_told(arguments.data(), go.read_end.get(), go.write_end.get(), failure.write_end.get());
  }
  go_ = std::move(go.write_end);
  failure_ = std::move(failure.read_end);
  pidfd_ = open_pidfd(pid_);
}

void Workload::execute() {
  // A child that was killed while it waited has closed the pipe. SIGPIPE must not end this process.
  sigset_t pipe_signal, before;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const bool alive = write(go_.get(), "g", 1) == 1;
  const timespec at_once{};
  if (!alive) sigtimedwait(&pipe_signal, nullptr, &at_once);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);

  int reason = 0;
  if (alive && read_again(failure_.get(), &reason, sizeof reason) == sizeof reason) {
    throw UsageError(fmt::format("{}: cannot be executed: {}", printable(program_), std::strerror(reason)));
  }
}

std::optional<int> Workload::status() {
  int status = 0;
  if (!status_ && waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
  return status_;
}

void Workload::signal(int number) {
  if (!status()) kill(pid_, number);
}

bool Workload::ends_within(int milliseconds) {
  constexpr int step = 5;
  for (int waited = 0; !status(); waited += step) {
    if (waited >= milliseconds) return false;
    const timespec pause{0, step * 1'000'000};
    nanosleep(&pause, nullptr);
  }
  return true;
}

Workload::~Workload() {
  go_ = FileDescriptor();  // a child that still waits then ends
  if (pid_ <= 0 || ends_within(0)) return;
  kill(pid_, SIGTERM);
  if (ends_within(1000)) return;
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace perfsift::record
