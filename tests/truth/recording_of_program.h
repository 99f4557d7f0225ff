// Recordings of the truth program, made while a test runs.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

namespace perfsift::test {

// A recording with copied stacks, or the reason why there is none.
struct TruthRecording {
  std::string path;
  std::string why_not;
};

// Records one second of the program compiled as `variant`.
inline TruthRecording record_truth_program(const std::string& variant) {
  const std::string program = PERFSIFT_TRUTH_PROGRAMS "/" + variant;
  if (!std::filesystem::exists(program)) return {.path = "", .why_not = variant + " is not compiled"};
  const std::string data = program + "." + std::to_string(getpid()) + ".data";
  const std::string errors = data + ".errors";
  const std::string command = "perf record -q -e cpu-clock -c 250000 -m 1024 --call-graph dwarf,16384 -o '" + data +
                              "' '" + program + "' 1 >/dev/null 2>'" + errors + "'";
  const bool recorded = std::system(command.c_str()) == 0;
  std::ifstream text(errors);
  std::string said(std::istreambuf_iterator<char>(text), {});
  std::ranges::replace(said, '\n', ' ');  // the reason is one line
  std::filesystem::remove(errors);
  if (!recorded) return {.path = "", .why_not = "perf cannot record here: " + said};
  return {.path = data, .why_not = ""};
}

}  // namespace perfsift::test
