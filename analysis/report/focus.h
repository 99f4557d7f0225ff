// The stacks around one function: who calls it, and what it calls.
//
// Stacks are cut at the outermost call of the function, so a sample counts once, however deep the function calls
// itself:
//
//   main;f;g;f;h 5      callers of f: f;main 5      callees of f: f;g;f;h 5
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/profile/profile.h"

namespace perfsift::analysis {

enum class FocusSide : std::uint8_t { callers, callees };

// Adds the stacks that have a function of that name to `focused`, cut as above; the function is their first frame.
// False: there are none.
bool focus(const Profile& profile, std::string_view function, FocusSide side, Profile& focused);

// The name of a function in the stacks of the profile that is most like `name`, in capitals or not, and with or without
// `*` around it: one with a part that begins so, else one that contains it, else the one that differs least. Empty if
// nothing is like it.
std::string most_similar_function(const Profile& profile, std::string_view name);

// Whether a frame is one of code, and not the name of a thread, a control group or an event.
bool is_function(const FrameOrigin& origin);

}  // namespace perfsift::analysis
