// Two profiles as folded text with two counts a stack, as difffolded.pl writes it for flamegraph.pl.
#pragma once

#include "analysis/comparison/comparison.h"
#include "analysis/comparison/joined_profile.h"
#include "output/text_writer.h"

namespace perfsift::output {

// "main;f 10 12": each stack of either side, with its values before and after; 0 where a side does not have it. In the
// order of the frames. With ChangeOf::shares, the values before are scaled so that both sides have the same total, and
// rounded to the nearest whole number. `joined`: by SameFrame::name. With several events, the event is the first frame.
void write_diff_folded(const analysis::JoinedProfile& joined, analysis::ChangeOf what, unsigned threads,
                       TextWriter& out);

}  // namespace perfsift::output
