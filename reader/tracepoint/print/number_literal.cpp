#include "reader/tracepoint/print/number_literal.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include "base/number_in.h"

namespace perfsift::reader::print {

std::optional<NumberLiteral> number_literal(std::string_view text, unsigned long_size) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  const bool is_octal = !is_hex && text.size() > 1 && text.front() == '0';
  text.remove_prefix(is_hex ? 2 : 0);
  const int base = is_hex ? 16 : is_octal ? 8 : 10;
  const auto digits = take_number<std::uint64_t>(text, base);
  if (!digits) return std::nullopt;
  const std::uint64_t value = *digits;
  std::string suffix(text);
  std::ranges::transform(suffix, suffix.begin(), [](char c) { return static_cast<char>(c & ~0x20); });
  static const std::set<std::string_view> suffixes = {"", "U", "L", "UL", "LU", "LL", "ULL", "LLU"};
  if (!suffixes.contains(suffix)) return std::nullopt;

  const bool is_unsigned = suffix.find('U') != std::string::npos;
  const auto longs = std::ranges::count(suffix, 'L');
  const std::uint8_t sizes[] = {4, static_cast<std::uint8_t>(long_size), 8};
  for (auto size = std::begin(sizes) + longs; size != std::end(sizes); ++size) {
    for (const bool is_signed : {true, false}) {
      if (is_signed ? is_unsigned : !is_unsigned && !is_hex && !is_octal) continue;
      const Type type{.size = *size, .is_signed = is_signed};
      if (bits_of(value, type) == value && (!is_signed || static_cast<std::int64_t>(converted(value, type)) >= 0))
        return NumberLiteral{value, type};
    }
  }
  return NumberLiteral{value, {.size = 8, .is_signed = false}};
}

}  // namespace perfsift::reader::print
