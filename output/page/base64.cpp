#include "output/page/base64.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace perfsift::output {
namespace {

// Converts three bytes to four digits, with two digits per look-up.
class Digits {
 public:
  static constexpr std::size_t count = 4;

  Digits() {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (unsigned bits = 0; bits < pairs_.size(); ++bits) pairs_[bits] = {digits[bits >> 6], digits[bits & 63]};
  }
  void write(const char* bytes, char* text) const {
    const auto byte = [&](std::size_t i) { return unsigned{static_cast<unsigned char>(bytes[i])}; };
    const unsigned word = byte(0) << 16 | byte(1) << 8 | byte(2);
    std::memcpy(text, pairs_[word >> 12].data(), 2);
    std::memcpy(text + 2, pairs_[word & 0xfff].data(), 2);
  }

 private:
  std::array<std::array<char, 2>, 4096> pairs_;
};

const Digits& digits() {
  static const Digits all;
  return all;
}

}  // namespace

void Base64Writer::write(std::string_view bytes) {
  text_.resize(0);
  text_.reserve((open_size_ + bytes.size()) / group * Digits::count);
  char* to = text_.begin();
  const auto write_group = [&](const char* from) { digits().write(from, to), to += Digits::count; };
  if (open_size_ != 0) {
    const std::size_t taken = std::min(group - open_size_, bytes.size());
    std::ranges::copy(bytes.substr(0, taken), open_.begin() + static_cast<std::ptrdiff_t>(open_size_));
    bytes.remove_prefix(taken);
    open_size_ += taken;
    if (open_size_ < group) return;
    write_group(open_.data());
  }
  for (; bytes.size() >= group; bytes.remove_prefix(group)) write_group(bytes.data());
  std::ranges::copy(bytes, open_.begin());
  open_size_ = bytes.size();
  text_.resize(static_cast<std::size_t>(to - text_.begin()));
  sink_(text_.view());
}

void Base64Writer::end() {
  if (open_size_ == 0) return;
  std::fill(open_.begin() + static_cast<std::ptrdiff_t>(open_size_), open_.end(), '\0');
  std::array<char, Digits::count> last;
  digits().write(open_.data(), last.data());
  std::fill_n(last.rbegin(), group - open_size_, '=');
  sink_({last.data(), last.size()});
  open_size_ = 0;
}

}  // namespace perfsift::output
