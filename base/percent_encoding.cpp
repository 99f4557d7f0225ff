#include "base/percent_encoding.h"

#include <fmt/format.h>

namespace perfsift {

std::string percent_encoded(std::string_view text, std::string_view also_plain) {
  constexpr std::string_view unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
  std::string encoded;
  for (const char byte : text) {
    const bool is_plain =
        unreserved.find(byte) != std::string_view::npos || also_plain.find(byte) != std::string_view::npos;
    encoded += is_plain ? std::string(1, byte) : fmt::format("%{:02X}", static_cast<unsigned char>(byte));
  }
  return encoded;
}

}  // namespace perfsift
