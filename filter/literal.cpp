#include "filter/literal.h"

#include <algorithm>

#include "base/number_in.h"

namespace perfsift::filter {
namespace {

struct Unit {
  std::string_view name;
  Literal::Kind kind;
  std::uint64_t scale;
};

constexpr Unit units[] = {
    {"", Literal::Kind::plain, 1},
    {"k", Literal::Kind::size, std::uint64_t{1} << 10},
    {"K", Literal::Kind::size, std::uint64_t{1} << 10},
    {"M", Literal::Kind::size, std::uint64_t{1} << 20},
    {"G", Literal::Kind::size, std::uint64_t{1} << 30},
    {"T", Literal::Kind::size, std::uint64_t{1} << 40},
    {"ns", Literal::Kind::duration, 1},
    {"us", Literal::Kind::duration, 1'000},
    {"ms", Literal::Kind::duration, 1'000'000},
    {"s", Literal::Kind::duration, 1'000'000'000},
    {"min", Literal::Kind::duration, 60'000'000'000},
};

// "1.5" times 1000, without the errors of floating point. A remainder is refused: 0.5ns is invalid.
std::optional<std::uint64_t> scaled(std::string_view digits, std::uint64_t scale) {
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const auto whole = number_in<std::uint64_t>(digits.substr(0, point), 10);
  std::uint64_t value = 0;
  if (!whole || __builtin_mul_overflow(*whole, scale, &value)) return std::nullopt;
  std::uint64_t remainder = 0;
  for (std::size_t i = digits.size(); i > point + 1; --i) {  // from the last digit on: each is a tenth of what is left
    remainder += static_cast<std::uint64_t>(digits[i - 1] - '0') * scale;
    if (remainder % 10 != 0) return std::nullopt;
    remainder /= 10;
  }
  if (__builtin_add_overflow(value, remainder, &value)) return std::nullopt;
  return value;
}

std::optional<Literal> with_sign(bool minus, Literal::Kind kind, std::optional<std::uint64_t> value) {
  constexpr std::uint64_t lowest = std::uint64_t{1} << 63;
  if (!value || (minus && *value > lowest)) return std::nullopt;
  const Number number = minus && *value != 0 ? Number{.bits = ~*value + 1, .negative = true} : Number::of(*value);
  const double real = minus ? -static_cast<double>(*value) : static_cast<double>(*value);
  return Literal{.kind = kind, .number = number, .real = real};
}

}  // namespace

std::optional<Literal> parse_literal(std::string_view text) {
  const bool minus = text.starts_with('-');
  std::string_view rest = text.substr(minus ? 1 : 0);
  if (rest.starts_with("0x") || rest.starts_with("0X")) {
    return with_sign(minus, Literal::Kind::plain, number_in<std::uint64_t>(rest.substr(2), 16));
  }
  const std::size_t digits_end = std::min(rest.find_first_not_of("0123456789."), rest.size());
  const std::string_view digits = rest.substr(0, digits_end);
  const std::string_view unit_name = rest.substr(digits_end);
  const auto real = number_in<double>(digits);
  if (!real) return std::nullopt;
  if (unit_name == "%") {
    if (minus || *real > 100) return std::nullopt;
    return Literal{.kind = Literal::Kind::share, .real = *real / 100};
  }
  if (unit_name.empty() && digits.find('.') != std::string_view::npos) {
    return Literal{.kind = Literal::Kind::decimal, .real = minus ? -*real : *real};
  }
  const auto* const unit = std::ranges::find(units, unit_name, &Unit::name);
  if (unit == std::end(units)) return std::nullopt;
  return with_sign(minus, unit->kind, scaled(digits, unit->scale));
}

}  // namespace perfsift::filter
