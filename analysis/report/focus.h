// The stacks around one function: its callers and its callees.
//
// Stacks are cut at the outermost call of the function, so a sample counts once, however deep the recursion is:
//
//   main;f;g;f;h 5      callers of f: f;main 5      callees of f: f;g;f;h 5
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/profile/profile.h"

namespace perfsift::analysis {

enum class FocusSide : std::uint8_t { callers, callees };

// Adds the stacks that contain a function with that name to `focused`, cut as above. The function is their first frame.
// Returns false if there are no such stacks.
bool focus(const Profile& profile, std::string_view function, FocusSide side, Profile& focused);

// The function name in the profile's stacks that is most similar to `name`. Case and `*` around the name are ignored. A
// name with a part that begins with `name` is preferred, then a name that contains it, then the name with the smallest
// edit distance. Empty if no name is similar.
std::string most_similar_function(const Profile& profile, std::string_view name);

// Whether a frame is code, and not the name of a thread, a control group or an event.
bool is_function(const FrameOrigin& origin);

}  // namespace perfsift::analysis
