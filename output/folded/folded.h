// Folded stacks: `comm;root;…;leaf COUNT`, a line per distinct stack, sorted bytewise.
#pragma once

#include <functional>
#include <string_view>

#include "analysis/profile/profile.h"
#include "output/files/output_file.h"

namespace perfsift::output {

struct FoldedOptions {
  unsigned threads = 1;
  // The name of the event is the first frame, so that stacks of several events are kept apart.
  bool event_frame = false;
};

// The bytes do not depend on the number of threads.
void write_folded(const analysis::Profile& profile, const FoldedOptions& options, OutputFile& out);
// `sink` gets the text in pieces, from one thread at a time.
void write_folded(const analysis::Profile& profile, const FoldedOptions& options,
                  const std::function<void(std::string_view text)>& sink);

}  // namespace perfsift::output
