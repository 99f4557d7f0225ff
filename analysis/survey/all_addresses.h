// Names all addresses of a recording, so that the symbolizer uses every file that any command uses for it.
#pragma once

#include "reader/recording.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

// Names the frames of all stacks with their inlined calls and lines, the ends of branches, and the variables at data
// addresses. `as_recorded`: also names the addresses of callchains themselves, which texts of samples show, and not
// only those of the calls. Visits the recording twice, with `threads` threads.
void name_all_addresses(reader::Recording& recording, symbolize::Symbolizer& symbolizer, bool as_recorded,
                        unsigned threads);

}  // namespace perfsift::analysis
