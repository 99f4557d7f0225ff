// The part of the inputs that the options chose, in few words: a picture is looked at without its command line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/samples/stack_options.h"
#include "tools/input_profile.h"
#include "tools/profile/profile_command.h"

namespace perfsift::tools {

// How many samples of recordings and of text of perf script are not in the profile, because an option left them out.
// Other inputs have counts, not samples.
std::uint64_t samples_left_out(std::span<const InputReport> reports);

// A sentence for each choice, for the foot of a picture: the filter, the parts of stacks that are shown, and where
// stacks end.
std::vector<std::string> notes_of_choices(const ProfileCommand& inputs, const analysis::StackOptions& stacks);

}  // namespace perfsift::tools
