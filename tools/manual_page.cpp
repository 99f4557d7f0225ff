#include "tools/manual_page.h"

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/beside_program.h"

namespace perfsift::tools {
namespace {

struct ClosePipe {
  void operator()(std::FILE* pipe) const { pclose(pipe); }
};

// The first line that a shell command prints.
std::string first_line_of(const std::string& command) {
  const std::unique_ptr<std::FILE, ClosePipe> pipe(popen(command.c_str(), "r"));
  char line[4096];
  if (pipe == nullptr || std::fgets(line, sizeof line, pipe.get()) == nullptr) return "";
  const std::string_view text = line;
  return std::string(text.substr(0, text.find('\n')));
}

// Minimal systems have a man(1) that only says that pages are not installed, so that the file must exist.
bool is_installed(const std::string& page) {
  std::error_code none;
  return std::filesystem::is_regular_file(first_line_of("man -w 1 " + page + " 2>/dev/null"), none);
}

// The pager of man(1) ends by SIGPIPE, which this program ignores.
class DefaultSignals {
 public:
  DefaultSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
  }
  ~DefaultSignals() { posix_spawnattr_destroy(&attributes_); }
  DefaultSignals(const DefaultSignals&) = delete;
  DefaultSignals& operator=(const DefaultSignals&) = delete;

  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

}  // namespace

bool show_manual_page(const std::string& page) {
  if (isatty(STDOUT_FILENO) == 0) return false;
  // man(1) searches the folders beside those of $PATH, and finds no page of a program that was started by its path.
  const auto own = beside_program({("../share/man/man1/" + page + ".1").c_str()});
  if (!own && !is_installed(page)) return false;
  std::string program = "man", place = own ? "-l" : "1", name = own.value_or(page);
  char* const words[] = {program.data(), place.data(), name.data(), nullptr};
  const DefaultSignals signals;
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), nullptr, signals.attributes(), words, environ) != 0) return false;
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace perfsift::tools
