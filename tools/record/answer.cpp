#include "tools/record/answer.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "tools/terminal.h"

namespace perfsift::tools {
namespace {

// The recorder goes on while the command is busy for a moment.
constexpr int pipe_bytes = 1 << 20;
constexpr int status_of_signal = 128;  // and the signal's number, as a shell has it

std::set<int> open_descriptors() {
  std::set<int> descriptors;
  std::error_code unknown;  // without /proc
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", unknown))
    descriptors.insert(std::atoi(entry.path().filename().c_str()));
  std::erase_if(descriptors, [](int one) { return fcntl(one, F_GETFD) < 0; });  // that of the list itself
  return descriptors;
}

// With the signals of the recorder held back: RecordSignals of the parent has blocked them.
[[noreturn]] void run_child(AnswerRequest& request) {
  Progress::leave_to_others();
  _exit(with_errors_told([&] { return request.run->run(request.words); }));
}

}  // namespace

Answer::Answer(AnswerRequest request) : request_(std::move(request)), descriptors_(open_descriptors()) { start(); }

void Answer::close_later_descriptors() const {
  for (const int descriptor : open_descriptors()) {
    if (descriptor > STDERR_FILENO && !descriptors_.contains(descriptor)) close(descriptor);
  }
}

void Answer::start() {
  status_.reset();
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(fmt::format("pipe: {}", std::strerror(errno)));
  const FileDescriptor read_end(ends[0]);
  write_end_ = FileDescriptor(ends[1]);
  fcntl(ends[1], F_SETPIPE_SZ, pipe_bytes);  // refused beyond the user's limit: the usual size serves, too
  std::cout.flush();                         // or the child would print it a second time
  std::fflush(nullptr);
  child_ = fork();
  if (child_ < 0) throw Error(fmt::format("fork: {}", std::strerror(errno)));
  if (child_ != 0) return;
  write_end_ = FileDescriptor();  // or the child would never see the end of its input
  dup2(read_end.get(), STDIN_FILENO);
  close_later_descriptors();
  run_child(request_);
}

Answer::~Answer() {
  if (child_ <= 0 || has_ended()) return;
  kill(child_, SIGKILL);
  while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

FileDescriptor Answer::pipe() const {
  FileDescriptor copy(fcntl(write_end_.get(), F_DUPFD_CLOEXEC, 0));
  if (!copy) throw Error(fmt::format("pipe: {}", std::strerror(errno)));
  return copy;
}

bool Answer::has_ended() {
  int status = 0;
  if (!status_ && waitpid(child_, &status, WNOHANG) == child_) status_ = status;
  return status_.has_value();
}

void Answer::wait_until_it_reads() {
  constexpr useconds_t between_looks = 500;
  int waiting = 0;
  while (ioctl(write_end_.get(), FIONREAD, &waiting) == 0 && waiting > 0) {
    if (has_ended()) throw output::OutputClosed();
    usleep(between_looks);
  }
}

void Answer::restart() {
  write_end_ = FileDescriptor();
  int status = 0;
  while (!has_ended()) {
    if (waitpid(child_, &status, 0) == child_) status_ = status;
  }
  if (!WIFEXITED(*status_) || WEXITSTATUS(*status_) != done) throw output::OutputClosed();
  pollfd standard_output{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
  const bool is_closed = poll(&standard_output, 1, 0) == 1 && (standard_output.revents & POLLERR) != 0;
  if (is_closed) throw output::OutputClosed();  // head(1) has seen enough
  start();
}

int Answer::conclude() {
  constexpr int between_looks = 5;  // milliseconds
  write_end_ = FileDescriptor();
  std::optional<int> interrupted_by;
  while (!has_ended()) {
    pollfd signal{.fd = signals_.fd(), .events = POLLIN, .revents = 0};
    poll(&signal, 1, between_looks);
    while (const auto received = signals_.next()) {
      if (received->number == SIGUSR2) continue;  // asks a recorder for a snapshot
      interrupted_by = received->number;
      kill(child_, SIGKILL);
    }
  }
  if (interrupted_by) return status_of_signal + *interrupted_by;
  if (WIFEXITED(*status_)) return WEXITSTATUS(*status_);
  throw Error(fmt::format("perfsift {} was ended by signal {} ({})", request_.command->name, WTERMSIG(*status_),
                          strsignal(WTERMSIG(*status_))));
}

}  // namespace perfsift::tools
