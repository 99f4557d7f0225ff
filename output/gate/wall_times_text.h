// The times that runs of commands took, as a table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "output/text_writer.h"

namespace perfsift::output {

// Nanoseconds of each run of a command; runs whose time is not known are left out.
struct WallTimes {
  std::string name;
  std::vector<std::uint64_t> times;
};

struct MeanAndDeviation {
  double mean = 0;
  std::optional<double> deviation;  // of the sample; nothing for one value
};
MeanAndDeviation mean_and_deviation(std::span<const std::uint64_t> values);

// A line for each command: runs, mean, standard deviation, fastest, slowest, and behind the second the change of the
// mean from the first. Commands without known times have no line.
void write_wall_times(std::span<const WallTimes> commands, TextWriter& out);

}  // namespace perfsift::output
