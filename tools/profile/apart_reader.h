// Reads each input into lists and a table of its own. Profiles of pprof are read at the same time. Other inputs are
// read one after the other, with all threads.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "analysis/profile/profile.h"
#include "analysis/table/sample_table.h"
#include "reader/input_file.h"
#include "tools/input_profile.h"

namespace perfsift::tools {

struct ReadInput {
  analysis::SampleTable table;
  std::size_t first_list = 0;
  std::size_t end_list = 0;
};

// Inputs that are already opened and unpacked, by path.
using OpenInputs = std::map<std::string, reader::InputFile, std::less<>>;

// Adds the stacks to `profile`. `reading.rows` is not used. Lists and events are in the order of the inputs, with any
// number of threads. An input that cannot be used does not stop the others. `inputs` is overwritten. Throws UsageError
// if an option does not fit an input.
std::vector<InputReport> read_apart(std::span<const std::string> paths, OpenInputs open, analysis::Profile& profile,
                                    const ProfileReading& reading, std::deque<ReadInput>& inputs);

}  // namespace perfsift::tools
