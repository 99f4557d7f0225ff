// Stacks without recursion.
//
//   main;f;f;f;g     direct: main;f;g        cycles: main;f;g
//   main;f;g;f;h     direct: main;f;g;f;h    cycles: main;f;h
//
// A function that calls itself is one frame; by cycles, so is a function that others call again on its behalf, and what
// lies between its first and its last call is left out. The frame that stays is that of the last call. The innermost
// frame always stays, so self amounts do not change. Frames without a name are no known function, and stay.
#pragma once

#include "analysis/profile/profile.h"
#include "analysis/samples/stack_builder.h"

namespace perfsift::analysis {

// Collapses the stacks of a profile as `shape` says, and cuts them at its depth, which StackBuilder then leaves to this
// function. Stacks keep their numbers. All lists must be complete.
void collapse_recursion(Profile& profile, const StackShape& shape);

}  // namespace perfsift::analysis
