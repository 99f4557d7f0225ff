// Bytes as text, in the digits of RFC 4648, section 4.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string_view>

#include "output/text.h"

namespace perfsift::output {

// Writes bytes that arrive in parts. Not thread-safe.
class Base64Writer {
 public:
  using Sink = std::function<void(std::string_view text)>;

  explicit Base64Writer(Sink sink) : sink_(std::move(sink)) {}

  void write(std::string_view bytes);
  // Writes the digits of the last bytes.
  void end();

 private:
  static constexpr std::size_t group = 3;  // bytes: four digits

  const Sink sink_;
  std::array<char, group> open_{};  // the bytes of an incomplete group
  std::size_t open_size_ = 0;
  Text text_;
};

}  // namespace perfsift::output
