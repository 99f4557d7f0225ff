#include "base/binary.h"

namespace perfsift {

std::string BuildId::hex() const {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(std::size_t{size} * 2);
  for (std::size_t i = 0; i < size; ++i) {
    const auto byte = std::to_integer<unsigned>(bytes[i]);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace perfsift
