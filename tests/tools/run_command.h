// Runs a command as main() does, and returns its output.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tools/command.h"

namespace perfsift::tools {

struct Outcome {
  int status = -1;
  std::string out;
  std::string err;
};

inline Outcome outcome_of(const std::function<int()>& run) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.status = with_errors_told(run);
  outcome.out = ::testing::internal::GetCapturedStdout();
  outcome.err = ::testing::internal::GetCapturedStderr();
  return outcome;
}

inline Outcome run_command(std::string_view command, const options::Arguments& words) {
  return outcome_of([&] { return run_command(*find_command(command), words); });
}

}  // namespace perfsift::tools
