// The version of perf that the output follows.
#pragma once

#include <cstdint>

namespace perfsift::analysis {

enum class PerfStyle : std::uint8_t {
  newest,    // addresses as recorded, branches with their speculation
  perf_6_1,  // Debian 12's perf: file offsets for the user frames of a callchain
};

}  // namespace perfsift::analysis
