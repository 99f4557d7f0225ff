#include "tools/top/screen.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace perfsift::tools {
namespace {

// Control sequences of xterm, which other terminals have taken over: the second screen, the cursor, and whether long
// lines go on in the next row.
constexpr std::string_view enter_screen = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J";
constexpr std::string_view leave_screen = "\x1b[?7h\x1b[?25h\x1b[?1049l";
constexpr std::string_view first_row = "\x1b[H", end_of_line = "\x1b[K", end_of_page = "\x1b[J";
constexpr std::array crashes{SIGSEGV, SIGFPE, SIGILL, SIGABRT};  // not SIGBUS: see shorter_inputs.h

termios usual_settings;  // for the handler of crashes, too

// Async-signal-safe. A terminal that takes nothing has gone.
void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void set_terminal(const termios& settings) { tcsetattr(STDIN_FILENO, TCSADRAIN, &settings); }

// SA_RESETHAND: the signal then does what it would have done.
void restore_and_crash(int number) {
  set_terminal(usual_settings);
  write_all(leave_screen);
  raise(number);
}

void handle_crashes(bool on) {
  struct sigaction action {};
  action.sa_handler = on ? restore_and_crash : SIG_DFL;
  action.sa_flags = on ? static_cast<int>(SA_RESETHAND) : 0;
  for (const int number : crashes) sigaction(number, &action, nullptr);
}

}  // namespace

bool Screen::possible() {
  const char* const terminal = std::getenv("TERM");
  return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

Screen::Screen() {
  tcgetattr(STDIN_FILENO, &usual_settings);
  enter();
  handle_crashes(true);
}

Screen::~Screen() {
  handle_crashes(false);
  leave();
}

void Screen::enter() {
  termios settings = usual_settings;
  settings.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  set_terminal(settings);
  write_all(enter_screen);
}

void Screen::leave() {
  set_terminal(usual_settings);
  write_all(leave_screen);
}

void Screen::suspend() {
  leave();
  raise(SIGSTOP);
  enter();
}

Screen::Size Screen::size() const {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return {};
  return {.rows = size.ws_row, .columns = size.ws_col};
}

void Screen::show(std::string_view text, std::string_view last) { write_all(page_of(text, last, size().rows)); }

int Screen::fd() const { return STDIN_FILENO; }

std::optional<char> Screen::key() {
  pollfd keys{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  if (poll(&keys, 1, 0) <= 0) return std::nullopt;
  char key = 0;
  return read(STDIN_FILENO, &key, 1) == 1 ? key : no_more_keys;
}

std::string page_of(std::string_view text, std::string_view last, std::size_t rows) {
  std::string page(first_row);
  for (std::size_t row = 1; row < rows; ++row) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    page += text.substr(0, end);
    page += end_of_line;
    page += "\r\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  page += last.substr(0, last.find('\n'));
  page += end_of_page;
  return page;
}

}  // namespace perfsift::tools
