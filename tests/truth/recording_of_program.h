// Recordings of the truth program, made while a test runs.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include <unistd.h>

namespace perfsift::test {

// The path of a recording with copied stacks of a second of the program compiled as `variant`; nothing where there is
// no such program, or perf cannot record.
inline std::optional<std::string> record_truth_program(const std::string& variant) {
  const std::string program = PERFSIFT_TRUTH_PROGRAMS "/" + variant;
  if (!std::filesystem::exists(program)) return std::nullopt;
  std::string data = program + "." + std::to_string(getpid()) + ".data";
  const std::string command = "perf record -q -e cpu-clock -c 250000 -m 1024 --call-graph dwarf,16384 -o '" + data +
                              "' '" + program + "' 1 >/dev/null 2>&1";
  if (std::system(command.c_str()) != 0) return std::nullopt;
  return data;
}

}  // namespace perfsift::test
