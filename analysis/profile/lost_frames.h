// Shows the losses of a recording as stacks of the profile, where users see them.
#pragma once

#include "analysis/profile/profile.h"
#include "analysis/profile/quality.h"
#include "analysis/samples/stack_options.h"

namespace perfsift::analysis {

// The only frame of a stack that stands for losses.
inline constexpr const char *lost_samples_frame = "[lost samples]", *lost_records_frame = "[lost records]";

// Adds the stacks [lost samples] and [lost records] to `profile`, which has the samples of the recordings of `quality`.
// The two are separate stacks, because a lost record may be of any type. A lost record that is also counted as a lost
// sample is shown once.
//
// Lost samples and records have no period. With Weight::period each counts as the mean of the remaining samples. If the
// profile has several events, the event of a loss is unknown: losses then become an event [lost], counted in samples
// and records. If all samples were lost, the losses have no event.
void add_lost_frames(const Quality& quality, Weight weight, Profile& profile);

}  // namespace perfsift::analysis
