// Why a snapshot is written.
#pragma once

#include <string>

namespace perfsift::tools {

struct FlightTrigger {
  std::string reason;  // "rx-0[12] blocked 1.20 ms at 123.456789", as the kernel gave the names
};

}  // namespace perfsift::tools
