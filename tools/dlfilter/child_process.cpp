#include "tools/dlfilter/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/owned.h"

namespace perfsift::tools {
namespace {

constexpr int threw = 99;  // the exit status of a child whose work threw

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string read_all(int fd) {
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t size = 0; (size = read(fd, buffer.data(), buffer.size())) != 0;) {
    if (size > 0) text.append(buffer.data(), static_cast<std::size_t>(size));
    if (size < 0 && errno != EINTR) break;
  }
  return text;
}

[[noreturn]] void run_child(int fd, unsigned seconds, const std::function<void(const Tell&)>& work) {
  std::signal(SIGPIPE, SIG_DFL);
  alarm(seconds);
  const FileDescriptor nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
  dup2(nowhere.get(), STDOUT_FILENO);
  const Tell tell = [fd](const std::string& text) { write_all(fd, text); };
  try {
    work(tell);
  } catch (const std::exception& error) {
    tell(error.what());
    _exit(threw);
  }
  _exit(0);
}

std::string problem_of(int status, unsigned seconds) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  if (WIFEXITED(status) && WEXITSTATUS(status) == threw) return "failed";
  if (WIFEXITED(status)) return fmt::format("ended the process with exit status {}", WEXITSTATUS(status));
  if (WTERMSIG(status) == SIGALRM) return fmt::format("did not end within {} seconds", seconds);
  return fmt::format("crashed: {}", strsignal(WTERMSIG(status)));
}

}  // namespace

ChildOutcome in_child_process(unsigned seconds, const std::function<void(const Tell& tell)>& work) {
  std::fflush(nullptr);  // or the child would print it a second time
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Error(std::string("no pipe: ") + std::strerror(errno));
  const FileDescriptor read_end(ends[0]);
  FileDescriptor write_end(ends[1]);
  const pid_t child = fork();
  if (child < 0) throw Error(std::string("no child process: ") + std::strerror(errno));
  if (child == 0) run_child(write_end.get(), seconds, work);

  write_end = FileDescriptor();
  ChildOutcome outcome{.said = read_all(read_end.get()), .problem = {}};
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  outcome.problem = problem_of(status, seconds);
  return outcome;
}

}  // namespace perfsift::tools
