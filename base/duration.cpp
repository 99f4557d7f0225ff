#include "base/duration.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/number_in.h"

namespace perfsift {

std::string seconds_text(std::uint64_t nanoseconds) {
  return fmt::format("{}.{:06}", nanoseconds / one_second, nanoseconds % one_second / 1000);
}

std::optional<std::uint64_t> parse_duration(std::string_view text, std::span<const TimeUnit> units) {
  constexpr double too_long = 1e18;
  const auto number = take_number<double>(text);
  const auto unit = std::ranges::find(units, text, &TimeUnit::name);
  if (!number || unit == units.end()) return std::nullopt;
  const double nanoseconds = *number * static_cast<double>(unit->nanoseconds);
  if (!(nanoseconds >= 0 && nanoseconds < too_long)) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(nanoseconds));
}

}  // namespace perfsift
