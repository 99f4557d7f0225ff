// Shows the losses of a recording in the profile itself, where they cannot be overlooked.
#pragma once

#include "analysis/profile/profile.h"
#include "analysis/profile/quality.h"
#include "analysis/samples/stack_options.h"

namespace perfsift::analysis {

// The only frames of the stacks that stand for losses.
inline constexpr const char *lost_samples_frame = "[lost samples]", *lost_records_frame = "[lost records]";

// Adds the stacks [lost samples] and [lost records] to `profile`, which has the samples of the recordings of `quality`.
// They stay apart, as a lost record may be of any type. A lost record that is among the lost samples, too, is not shown
// twice.
//
// Lost samples and records have no period. With Weight::period each counts as the mean of the samples that were not
// lost. If the profile has several events, the event of a loss is unknown: losses then become an event [lost], counted
// in samples and records. If all samples were lost, they have no event.
void add_lost_frames(const Quality& quality, Weight weight, Profile& profile);

}  // namespace perfsift::analysis
