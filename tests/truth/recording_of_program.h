// Recordings of the truth program, made while a test runs.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include <unistd.h>

#include "tests/truth/copied_recording.h"

namespace perfsift::test {

// A recording with copied stacks, or the reason why there is none.
struct TruthRecording {
  std::string path;
  std::string why_not;
};

// What `command` says on standard error as one line, if it fails.
inline std::optional<std::string> failure_of(const std::string& command, const std::string& errors) {
  const bool done = std::system((command + " >/dev/null 2>'" + errors + "'").c_str()) == 0;
  std::ifstream text(errors);
  std::string said(std::istreambuf_iterator<char>(text), {});
  std::ranges::replace(said, '\n', ' ');
  std::filesystem::remove(errors);
  return done ? std::nullopt : std::optional(said);
}

// Programs for aarch64 run under qemu, which interrupts them at any instruction only if it translates one at a time.
inline TruthRecording copy_stacks_of_program(const std::string& program, const std::string& data) {
  const std::string log = data + ".log";
  const std::string command =
      "qemu-aarch64 -singlestep -L /usr/aarch64-linux-gnu -E TRUTH_LOG='" + log + "' '" + program + "' 2";
  const auto failure = failure_of(command, data + ".errors");
  if (!failure) write_copied_recording(log, data);
  std::filesystem::remove(log);
  std::filesystem::remove(log + ".maps");
  if (failure) return {.path = "", .why_not = "qemu cannot run programs for aarch64 here: " + *failure};
  return {.path = data, .why_not = ""};
}

// Records one second of the program compiled as `variant`.
inline TruthRecording record_truth_program(const std::string& variant) {
  const std::string program = PERFSIFT_TRUTH_PROGRAMS "/" + variant;
  if (!std::filesystem::exists(program)) return {.path = "", .why_not = variant + " is not compiled"};
  const std::string data = program + "." + std::to_string(getpid()) + ".data";
  if (variant.starts_with("arm64.")) return copy_stacks_of_program(program, data);
  const auto failure = failure_of(
      "perf record -q -e cpu-clock -c 250000 -m 1024 --call-graph dwarf,16384 -o '" + data + "' '" + program + "' 1",
      data + ".errors");
  if (failure) return {.path = "", .why_not = "perf cannot record here: " + *failure};
  return {.path = data, .why_not = ""};
}

}  // namespace perfsift::test
