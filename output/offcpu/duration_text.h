// Times as people read them.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace perfsift::output {

// Three figures and a unit: "12 ns", "1.83 us", "45.1 ms", "3.20 s".
inline std::string duration_text(std::uint64_t nanoseconds) {
  if (nanoseconds < 1000) return fmt::format("{} ns", nanoseconds);
  double value = static_cast<double>(nanoseconds);
  const char* unit = "ns";
  for (const char* next : {"us", "ms", "s"}) {
    if (value < 999.5) break;
    value /= 1000;
    unit = next;
  }
  return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, unit);
}

// Seconds with all nanoseconds: "36238.408642123".
inline std::string timestamp_text(std::uint64_t nanoseconds) {
  return fmt::format("{}.{:09}", nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000);
}

}  // namespace perfsift::output
