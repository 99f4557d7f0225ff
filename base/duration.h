// Times and durations in nanoseconds: parsing of options ("500us", "1.5s"), and text in perf's format.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace perfsift {

inline constexpr std::uint64_t one_second = 1'000'000'000;

// Seconds with microseconds, not rounded: "36238.408642".
std::string seconds_text(std::uint64_t nanoseconds);

struct TimeUnit {
  std::string_view name;  // empty: the unit of a number without a unit
  std::uint64_t nanoseconds;
};

// Parses a number, with or without decimals, followed by the name of one of `units`. Returns nanoseconds, rounded;
// nothing for any other text, negative numbers, and 10^18 ns (31 years) or more.
std::optional<std::uint64_t> parse_duration(std::string_view text, std::span<const TimeUnit> units);

}  // namespace perfsift
