// The things that a command does only on a terminal.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

#include "output/terminal_style.h"

namespace perfsift::tools {

// Whether an environment variable has a text.
bool is_set(const char* variable);

// Whether text written there may be coloured: it is a terminal that can, and NO_COLOR (no-color.org) is not set.
bool takes_colour(int fd);

// The style of tables in an output (see OutputFile): colours and bars only on standard output, and only if it is a
// terminal.
output::TerminalStyle terminal_style(const std::string& output);

// The rows of a table on a terminal if no number was asked for.
inline constexpr std::size_t rows_on_terminal = 40;

// One line that says how far a command is, when it takes long. Written to a terminal only, and gone before anything
// else is printed.
//
// ```cpp
// Progress progress(reading.quiet);
// progress.show([&] { return fmt::format("{}: {:.0f} %", path, 100 * share); });
// progress.end();
// ```
class Progress {
 public:
  // Shows progress on stderr once a command takes long. `quiet`: never.
  explicit Progress(bool quiet);
  Progress(int fd, std::chrono::milliseconds delay);
  ~Progress() { end(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // No progress is shown from now on in this process, because another process shows progress on the same terminal.
  static void leave_to_others() { left_to_others_ = true; }

  // Whether anything will ever be shown.
  bool possible() const { return fd_ >= 0; }

  // Shows text(), unless it was called only just now. Thread-safe.
  template <typename Text>
  void show(Text&& text) {
    if (due()) draw(text());
  }

  // Erases the line. Nothing is shown from then on.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  bool due();
  void draw(const std::string& text);

  static inline std::atomic<bool> left_to_others_ = false;

  std::atomic<int> fd_ = -1;  // -1: nothing is shown
  std::atomic<Clock::rep> next_ = 0;
  std::mutex mutex_;
  bool drawn_ = false;
};

}  // namespace perfsift::tools
