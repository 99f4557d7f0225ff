// Stacks without recursion.
//
//   main;f;f;f;g     direct: main;f;g        cycles: main;f;g
//   main;f;g;f;h     direct: main;f;g;f;h    cycles: main;f;h
//
// A function that calls itself becomes one frame. With cycles, a function that is called again through others also
// becomes one frame, and the frames between its first and its last call are left out. The frame of the last call stays.
// The innermost frame always stays, so self amounts do not change. Frames without a name are not known to be equal, and
// stay.
#pragma once

#include "analysis/profile/profile.h"
#include "analysis/samples/stack_builder.h"

namespace perfsift::analysis {

// Collapses the stacks of a profile as `shape` says. Also limits their depth, which StackBuilder leaves to this
// function if recursion is collapsed. Stacks keep their numbers. All lists must be complete.
void collapse_recursion(Profile& profile, const StackShape& shape);

}  // namespace perfsift::analysis
