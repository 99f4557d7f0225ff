// Folded stacks: `comm;root;…;leaf COUNT`, a line per distinct stack, sorted bytewise.
#pragma once

#include "analysis/profile/profile.h"
#include "output/files/output_file.h"

namespace perfsift::output {

struct FoldedOptions {
  unsigned threads = 1;
  // The name of the event as the first frame: when several have stacks, so that none are added to another's.
  bool event_frame = false;
};

// The same bytes for the same profile, whatever the number of threads.
void write_folded(const analysis::Profile& profile, const FoldedOptions& options, OutputFile& out);

}  // namespace perfsift::output
