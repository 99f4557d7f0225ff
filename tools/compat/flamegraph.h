// `fold --compat flamegraph`: what `perf script | stackcollapse-perf.pl` prints, for recordings and for text.
#pragma once

#include <string>
#include <vector>

#include "symbolize/symbolizer.h"
#include "tools/compat/stackcollapse_perf.h"
#include "tools/output/output_file.h"
#include "tools/profile/input_profile.h"

namespace perfsift::tools {

// Feeds the inputs, one after the other, to one collapser, as `cat` would, and writes its result. A recording is first
// turned into the text that perf 6.1 prints of it. Throws InputError, and what `out` throws.
std::vector<InputReport> fold_as_flamegraph(const std::vector<std::string>& paths, symbolize::Symbolizer& symbolizer,
                                            const StackcollapseOptions& options,
                                            const StackcollapsePerf::Notice& notice, OutputFile& out);

}  // namespace perfsift::tools
