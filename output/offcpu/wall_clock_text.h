// The check that the times of all threads add up to the recorded time, as text.
#pragma once

#include <string>

#include "analysis/offcpu/wall_clock.h"

namespace perfsift::output {

// One line: "on CPU 1.500000000 s + run queue … = 4 threads x 2.000000000 s".
std::string wall_clock_text(const offcpu::WallClockCheck& check);

}  // namespace perfsift::output
