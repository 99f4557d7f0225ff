// Numbers in texts, independent of the locale.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace perfsift {

// Removes a number from the front of `text` and returns it. Nothing if the text begins with no number, or with a number
// that the type cannot hold; `text` is then as it was. `base` is for whole numbers. There is no blank, no + and no 0x
// in front; - is there only for signed types.
template <typename Number>
std::optional<Number> take_number(std::string_view& text, int base = 10) {
  Number number{};
  std::from_chars_result result{};
  if constexpr (std::is_floating_point_v<Number>) {
    result = std::from_chars(text.data(), text.data() + text.size(), number);
  } else {
    result = std::from_chars(text.data(), text.data() + text.size(), number, base);
  }
  if (result.ec != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(result.ptr - text.data()));
  return number;
}

// The whole of `text` as take_number() reads it. Nothing if anything stands behind the number.
template <typename Number>
std::optional<Number> number_in(std::string_view text, int base = 10) {
  const std::optional<Number> number = take_number<Number>(text, base);
  return text.empty() ? number : std::nullopt;
}

}  // namespace perfsift
