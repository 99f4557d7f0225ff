// A program that is asked for a line, and that may hang.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace perfsift::tools {

struct LimitedRun {
  std::optional<std::string> said;  // the start of its standard output; nothing: it cannot be run, or failed
  bool too_late = false;            // it was killed, because the time was over
};

// Runs a program of the search path, without input and without its error messages. After `limit`, it is killed with all
// that it has started.
LimitedRun run_limited(std::vector<std::string> words, std::chrono::milliseconds limit);

}  // namespace perfsift::tools
