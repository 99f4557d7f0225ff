// Shows what a recording lost in the profile itself, where nobody can overlook it.
#pragma once

#include "analysis/profile/profile.h"
#include "analysis/profile/quality.h"
#include "analysis/profile/stack_collector.h"

namespace perfsift::analysis {

// Adds the stacks [lost samples] and [lost records] to `profile`, which has what was read of the recordings `quality`
// is of. LOST and LOST_SAMPLES count different things and stay apart.
//
// What was lost has no period. With Weight::period it counts the mean of the samples that were not lost; only if these
// are of several events, of which nobody knows which one was hit, it is an event of its own, [lost], counted in samples
// and records.
void add_lost_frames(const Quality& quality, Weight weight, Profile& profile);

}  // namespace perfsift::analysis
