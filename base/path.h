// The halves of a path, and what one says.
#pragma once

#include <string_view>

namespace perfsift {

// "libc.so.6" of "/usr/lib/libc.so.6"; a path without a slash is a name.
constexpr std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }
// "/usr/lib/" of "/usr/lib/libc.so.6"; empty where there is no slash.
constexpr std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

// "/tmp/perf-1234.map", where a process writes down the names of code that it made (PERF_MAP_FILE_FORMAT).
constexpr bool is_perf_map(std::string_view path) { return path.starts_with("/tmp/perf-") && path.ends_with(".map"); }

}  // namespace perfsift
