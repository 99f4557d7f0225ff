// Where the command that is to be recorded begins in the words of a command line: `-g -F 99 ./program -v`.
#pragma once

#include <cstddef>

#include "options/command_line.h"

namespace perfsift::tools {

// The number of words in front of the command: all options and their values, and `--`. The command begins behind `--`,
// or with the first word that is neither an option nor the value of one, as for perf record. Words of an unknown option
// count as options, so that the parser can refuse them.
std::size_t words_before_command(const options::Arguments& words, const std::vector<options::OptionFact>& facts);

}  // namespace perfsift::tools
