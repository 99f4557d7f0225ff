#include "base/duration.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace perfsift {

std::string seconds_text(std::uint64_t nanoseconds) {
  return fmt::format("{}.{:06}", nanoseconds / one_second, nanoseconds % one_second / 1000);
}

std::optional<std::uint64_t> parse_duration(std::string_view text, std::span<const TimeUnit> units) {
  constexpr double too_long = 1e18;
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const auto unit = std::ranges::find(units, std::string_view(rest, end), &TimeUnit::name);
  if (error != std::errc() || unit == units.end()) return std::nullopt;
  const double nanoseconds = number * static_cast<double>(unit->nanoseconds);
  if (!(nanoseconds >= 0 && nanoseconds < too_long)) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(nanoseconds));
}

}  // namespace perfsift
