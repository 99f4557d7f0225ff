// The names of header features as perf prints them (`perf report --header-only`, "missing features").
#pragma once

#include <cstdint>
#include <string_view>

namespace perfsift::reader {

// Empty for unknown numbers.
std::string_view feature_name(std::uint32_t number);

}  // namespace perfsift::reader
