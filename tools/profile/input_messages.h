// The messages about an input that was read: why it cannot be used, or what of it could not be read.
#pragma once

#include "tools/diagnostics.h"
#include "tools/input_profile.h"

namespace perfsift::tools {

void report_input(const InputReport& report, Diagnostics& diagnostics);

}  // namespace perfsift::tools
