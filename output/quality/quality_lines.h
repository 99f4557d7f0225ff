// Sentences about what a recording lost, cut or could not name: for pictures, pages and exports, which must not look
// complete when the recording is not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/profile/quality.h"

namespace perfsift::output {

// One line for each kind of gap, the most serious first; empty: no gap is known. Without control characters.
//
//   lost: 37 samples (0.4 %)
//   throttled: 68 times, 4.270000 s in all
//   not readable: 312 bytes (7.6 %)
//   incomplete: 31 stacks (3 %), mostly: the copy of the stack ends before the stack: 2.9 %
//   without a name: 1200 frames (12 %), mostly: the file is not on this machine: 10 %
//   interrupts left out: 412 samples (4.1 %)
//
// A gap of less than 0.1 % says "less than 0.1 %", never 0 %. Lines from the inputs themselves come last, the first
// ones only.
std::vector<std::string> quality_lines(const analysis::Quality& quality);

// Whether quality_lines() may have written the text.
bool is_quality_line(std::string_view text);

// The line about throttling. `quality` has some.
std::string throttling_line(const analysis::Quality& quality);

}  // namespace perfsift::output
