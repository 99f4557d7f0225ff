#include "tools/terminal.h"

#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/printable.h"
#include "output/files/output_file.h"

namespace perfsift::tools {
namespace {

constexpr std::chrono::milliseconds progress_delay{500};
constexpr std::chrono::milliseconds between_lines{100};
constexpr std::string_view erase_line = "\r\x1b[K";

bool can_erase(int fd) {
  const char* terminal = std::getenv("TERM");
  return isatty(fd) == 1 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::size_t columns(int fd) {
  winsize size{};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : 80;
}

// The first of these variables that is set decides: see locale(7).
bool writes_unicode() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(variable);
    const std::string_view locale = value != nullptr ? value : "";
    if (locale.empty()) continue;
    return locale.ends_with("UTF-8") || locale.ends_with("utf8") || locale.ends_with("UTF8");
  }
  return false;
}

// A terminal that takes nothing is no reason to fail.
void write_to(int fd, std::string_view text) {
  if (write(fd, text.data(), text.size()) < 0) return;
}

}  // namespace

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool takes_colour(int fd) { return can_erase(fd) && !is_set("NO_COLOR"); }

output::TerminalStyle terminal_style(const std::string& output) {
  if (!output::OutputFile::is_standard_output(output) || isatty(STDOUT_FILENO) != 1) return {};
  return {.columns = columns(STDOUT_FILENO), .colour = takes_colour(STDOUT_FILENO), .unicode = writes_unicode()};
}

Progress::Progress(bool quiet) : Progress(quiet ? -1 : STDERR_FILENO, progress_delay) {}

Progress::Progress(int fd, std::chrono::milliseconds delay)
    : fd_(fd >= 0 && !left_to_others_ && can_erase(fd) ? fd : -1),
      next_((Clock::now() + delay).time_since_epoch().count()) {}

bool Progress::due() {
  if (!possible()) return false;
  const Clock::time_point now = Clock::now();
  Clock::rep next = next_;
  const Clock::rep after = (now + between_lines).time_since_epoch().count();
  return now.time_since_epoch().count() >= next && next_.compare_exchange_strong(next, after);
}

// A line longer than the terminal is wide could not be erased.
void Progress::draw(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (!possible()) return;
  write_to(fd_, std::string(erase_line) + printable(text).substr(0, columns(fd_) - 1));
  drawn_ = true;
}

void Progress::end() {
  const std::lock_guard lock(mutex_);
  if (drawn_) write_to(fd_, erase_line);
  drawn_ = false;
  fd_ = -1;
}

}  // namespace perfsift::tools
