// Text on its way to a file descriptor: one large buffer, and the few number formats that line-based
// output is made of, written by hand because they are written a hundred million times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace perfsift::tools {

// Nobody reads the output any more (`… | head`): a reason to end, not to complain.
struct OutputClosed : std::runtime_error {
  OutputClosed() : std::runtime_error("the output was closed") {}
};

// Not thread-safe. Writing throws OutputClosed, or Error when the output takes no more (a full disk).
class TextWriter {
 public:
  // Keeps all it gets: see view().
  TextWriter() = default;
  // Writes to `fd`, which stays open. flush() at the end: the destructor does not write.
  explicit TextWriter(int fd) : fd_(fd) { buffer_.reserve(capacity + capacity / 8); }
  TextWriter(const TextWriter&) = delete;
  TextWriter& operator=(const TextWriter&) = delete;

  void text(std::string_view s) {
    buffer_.append(s);
    if (buffer_.size() >= capacity) drain();
  }
  void character(char c) { buffer_.push_back(c); }
  void spaces(std::size_t count) { buffer_.append(count, ' '); }
  // %*s and %-*s
  void right(std::string_view s, std::size_t width) {
    pad(s.size(), width, ' ');
    text(s);
  }
  void left(std::string_view s, std::size_t width) {
    text(s);
    pad(s.size(), width, ' ');
  }

  // %*llu; fill '0' is %0*llu
  void decimal(std::uint64_t value, std::size_t width = 0, char fill = ' ') {
    const fmt::format_int digits(value);
    pad(digits.size(), width, fill);
    buffer_.append(digits.data(), digits.size());
  }
  // %*d: spaces come before the sign
  void signed_decimal(std::int64_t value, std::size_t width = 0) {
    const fmt::format_int digits(value);
    pad(digits.size(), width, ' ');
    buffer_.append(digits.data(), digits.size());
  }
  // %*llx
  void hex(std::uint64_t value, std::size_t width = 0) {
    char digits[16];
    char* first = std::end(digits);
    do {
      *--first = "0123456789abcdef"[value & 15];
      value >>= 4;
    } while (value != 0);
    const auto size = static_cast<std::size_t>(std::end(digits) - first);
    pad(size, width, ' ');
    buffer_.append(first, size);
  }

  // For what is written seldom.
  template <typename... Arguments>
  void format(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Arguments>(arguments)...);
  }

  void flush();
  // What has not been written yet.
  std::string_view view() const { return buffer_; }

 private:
  static constexpr std::size_t capacity = 1 << 18;
  static constexpr int keeps_all = -1;

  void pad(std::size_t size, std::size_t width, char fill) {
    if (size < width) buffer_.append(width - size, fill);
  }
  void drain() {
    if (fd_ != keeps_all) flush();
  }

  std::string buffer_;
  int fd_ = keeps_all;
};

}  // namespace perfsift::tools
