// A terminal that shows one page, which is replaced again and again, and gives keys without waiting for the end of a
// line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <termios.h>

namespace perfsift::tools {

// The terminal is as it was before after the destructor, after suspend(), and after a signal that crashes the process.
// Signals of keys, such as Ctrl-C, come as before. At most one at a time. Not thread-safe.
class Screen {
 public:
  struct Size {
    std::size_t rows = 24, columns = 80;
  };

  // Whether standard input and output are a terminal that can move its cursor.
  static bool possible();

  Screen();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  Size size() const;
  // Shows the lines from the top on, and `last` in the last row. What does not fit is left out. Texts must be
  // printable, but may have colours.
  void show(std::string_view text, std::string_view last);
  // The next key that was pressed; no_more_keys after the terminal has gone. Does not wait.
  static constexpr char no_more_keys = 4;  // Ctrl-D
  std::optional<char> key();
  int fd() const;  // readable when a key was pressed
  // Ctrl-Z: stops the process as a shell expects it, and returns when it goes on.
  void suspend();

 private:
  void enter();
  void leave();
};

// The lines of a text that has at most `rows` of them, each cleared to its end, in the form in which they are written
// to a terminal: apart for tests.
std::string page_of(std::string_view text, std::string_view last, std::size_t rows);

}  // namespace perfsift::tools
