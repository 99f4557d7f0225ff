// Text on its way out: one large buffer, and the few number formats that line-based
// output is made of, written by hand because they are written a hundred million times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace perfsift::output {

// Not thread-safe. Writing throws what the sink throws.
class TextWriter {
 public:
  using Sink = std::function<void(std::string_view text)>;

  // Keeps the whole text: see view().
  TextWriter() = default;
  // Hands the text on to `sink`, a large piece at a time. flush() at the end: the destructor does not write.
  explicit TextWriter(Sink sink) : sink_(std::move(sink)) { buffer_.reserve(capacity + capacity / 8); }
  TextWriter(const TextWriter&) = delete;
  TextWriter& operator=(const TextWriter&) = delete;

  void text(std::string_view s) {
    buffer_.append(s);
    if (buffer_.size() >= capacity) flush();
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

  // For text that is written seldom. fmt::vformat() is in the library: fmt::format_to() would compile all of it anew in
  // every file that includes this one, which takes 5 s each.
  template <typename... Arguments>
  void format(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text(fmt::vformat(format, fmt::make_format_args(arguments...)));
  }

  void flush() {
    if (!sink_ || buffer_.empty()) return;
    sink_(buffer_);
    buffer_.clear();
  }
  // The text that has not been handed to the sink yet.
  std::string_view view() const { return buffer_; }
  void clear() { buffer_.clear(); }

 private:
  static constexpr std::size_t capacity = 1 << 18;

  void pad(std::size_t size, std::size_t width, char fill) {
    if (size < width) buffer_.append(width - size, fill);
  }

  std::string buffer_;
  Sink sink_;
};

}  // namespace perfsift::output
