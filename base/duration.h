// Times and lengths of time, in nanoseconds: as options take them ("500us", "1.5s") and as perf prints them.
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
  std::string_view name;  // empty: what a number alone is
  std::uint64_t nanoseconds;
};

// A number, which may have decimals, and the name of one of `units`: in nanoseconds, rounded. Nothing for anything
// else, what is below zero, and 10^18 ns (31 years) or more.
std::optional<std::uint64_t> parse_duration(std::string_view text, std::span<const TimeUnit> units);

}  // namespace perfsift
