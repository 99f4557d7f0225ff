// Runs a command as main() does, and returns its output.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "tools/command.h"

namespace perfsift::tools {

struct Outcome {
  int status = -1;
  std::string out;
  std::string err;
};

inline Outcome run_command(int (*command)(const options::Arguments&), const options::Arguments& arguments) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.status = with_errors_told([&] { return command(arguments); });
  outcome.out = ::testing::internal::GetCapturedStdout();
  outcome.err = ::testing::internal::GetCapturedStderr();
  return outcome;
}

}  // namespace perfsift::tools
