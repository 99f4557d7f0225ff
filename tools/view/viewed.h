// The data from which perfsift view makes its answers.
#pragma once

#include "analysis/samples/stack_options.h"
#include "tools/page/page_reading.h"
#include "tools/profile/profile_command.h"

namespace perfsift::tools {

// The inputs of the run, what was read of them, and how. All of them must live longer.
struct Viewed {
  const ProfileCommand& inputs;
  const PageReading& reading;
  const analysis::StackOptions& stacks;
};

}  // namespace perfsift::tools
