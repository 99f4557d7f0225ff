// A whole number of a recording: from -2^63 to 2^64-1.
#pragma once

#include <compare>
#include <cstdint>

namespace perfsift::filter {

// Addresses need all 64 bits; ids and fields of tracepoints may be negative.
struct Number {
  std::uint64_t bits = 0;
  bool negative = false;  // `bits` is its two's complement

  static constexpr Number of(std::uint64_t value) { return {.bits = value}; }
  static constexpr Number of_signed(std::int64_t value) {
    return {.bits = static_cast<std::uint64_t>(value), .negative = value < 0};
  }

  constexpr std::strong_ordering operator<=>(const Number& other) const {
    if (negative != other.negative) return negative ? std::strong_ordering::less : std::strong_ordering::greater;
    return bits <=> other.bits;
  }
  constexpr bool operator==(const Number&) const = default;
};

inline constexpr Number lowest_number{.bits = std::uint64_t{1} << 63, .negative = true};
inline constexpr Number highest_number{.bits = ~std::uint64_t{0}};

}  // namespace perfsift::filter
