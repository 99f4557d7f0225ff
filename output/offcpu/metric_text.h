// The lines of one metric in Prometheus' text format 0.0.4.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace perfsift::output {

inline constexpr double nanoseconds_per_second = 1e9;

// The lines in front of the values.
inline void append_metric(std::string& text, std::string_view name, std::string_view type, std::string_view help) {
  text += fmt::format("# HELP perfsift_offcpu_{} {}\n# TYPE perfsift_offcpu_{} {}\n", name, help, name, type);
}

inline void append_counter(std::string& text, std::string_view name, std::string_view help, std::uint64_t value) {
  append_metric(text, name, "counter", help);
  text += fmt::format("perfsift_offcpu_{} {}\n", name, value);
}

inline void append_seconds(std::string& text, std::string_view name, std::string_view help, std::uint64_t nanoseconds) {
  append_metric(text, name, "counter", help);
  text += fmt::format("perfsift_offcpu_{} {:.9f}\n", name, static_cast<double>(nanoseconds) / nanoseconds_per_second);
}

}  // namespace perfsift::output
