// The parts of a path, and a special file name.
#pragma once

#include <string_view>

namespace perfsift {

// "libc.so.6" for "/usr/lib/libc.so.6"; the whole path without a slash.
constexpr std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }
// "/usr/lib/" for "/usr/lib/libc.so.6"; empty without a slash.
constexpr std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

// Whether `path` is like "/tmp/perf-1234.map", in which a process writes the names of code generated at run time
// (PERF_MAP_FILE_FORMAT).
constexpr bool is_perf_map(std::string_view path) { return path.starts_with("/tmp/perf-") && path.ends_with(".map"); }

}  // namespace perfsift
